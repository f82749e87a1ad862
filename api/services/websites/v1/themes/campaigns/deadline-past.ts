/** What operations that set a deadline answer for one that has passed. */
export const deadlinePast = { past: 'The :attribute must be in the future.' } as const
