/** Rounded, but only nothing is 0 and only all is 100. */
export function percentOf(part: number, all: number): string {
  const percent = all === 0 ? 0 : Math.round((100 * part) / all)
  if (percent === 0 && part > 0) return '<1'
  return percent === 100 && part < all ? '>99' : String(percent)
}
