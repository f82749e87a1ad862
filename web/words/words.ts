// Every text that people read goes through `t`, `counted` or `rich`. They work with the English texts as they are; the build for another
// language puts its own in their place (tools/translate.ts), so a text must be a literal.
import type { Forms } from '#languages/texts.ts'
import { formatNumber, locale } from './locale.ts'

/** The names in braces. */
export type Names<Text extends string> = Text extends `${string}{${infer Name}}${infer Rest}`
  ? Name | Names<Rest>
  : never

/** `as` tells apart two meanings of the same English text. */
type Values<Name extends string> = [Name] extends [never]
  ? [values?: { readonly as: string }]
  : [values: { readonly [N in Name]: string | number } & { readonly as?: string }]

/** `t('Move “{title}” here', { title })`, `t('Open', { as: 'state' })` */
export function t<const Text extends string>(text: Text, ...[values]: Values<Names<Text>>): string {
  return values ? filled(text, values) : text
}

const plurals = new Intl.PluralRules(locale)

/** `counted(cards.length, { one: '{count} card', other: '{count} cards' })` */
export function counted<const F extends Forms>(
  count: number,
  forms: F,
  ...[values]: Values<Exclude<Names<F['other']>, 'count'>>
): string {
  const form = (forms as Forms)[plurals.select(count)] ?? forms.other
  return filled(form, { ...values, count })
}

const filled = (text: string, values: Readonly<Record<string, string | number>>): string =>
  text.replaceAll(/\{(\w+)\}/g, (all, name: string) => String(shown(values[name]) ?? all))

/** A number as people of this language write it. */
export const shown = <Value>(value: Value) => (typeof value === 'number' ? formatNumber(value) : value)
