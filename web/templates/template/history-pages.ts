/** The pages of a template's history, by the end of their address. */
export const historyPages = ['versions', 'log', 'trash'] as const
export type HistoryPage = (typeof historyPages)[number]
