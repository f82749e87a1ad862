// The colors in which boards, groups and tags are shown. The service documents them, the web app shows them.

export const colors = ['red', 'orange', 'amber', 'green', 'teal', 'blue', 'violet', 'pink'] as const

export type Hue = (typeof colors)[number] | 'gray'

/** Any word may be stored as a color; one that names none is gray. */
export const hueOf = (word: string | null): Hue => colors.find((color) => color === word) ?? 'gray'
