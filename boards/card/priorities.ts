/** From the least to the most urgent. */
export const priorities = ['low', 'normal', 'high', 'urgent'] as const
