/** The amount in the smallest unit of its currency that a person typed, such as 490, 490.00 or 1.234,50; undefined if the text is no amount. */
export function amountFrom(typed: string, currency: string): number | undefined {
  const { maximumFractionDigits: digits = 2 } = new Intl.NumberFormat('en', {
    style: 'currency',
    currency,
  }).resolvedOptions()
  const fraction = digits > 0 ? `(?:[.,](\\d{1,${digits}}))?` : '()'
  const [, whole, rest = ''] =
    new RegExp(`^(\\d+|\\d{1,3}(?:[.,' ]\\d{3})+?)${fraction}$`).exec(typed.trim()) ?? []
  if (whole === undefined) return undefined
  return Number(whole.replace(/\D/g, '') + rest.padEnd(digits, '0'))
}
