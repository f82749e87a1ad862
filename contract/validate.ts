import type { Problems } from './failure.ts'
import { mistakableLetterIn, withoutMistakable } from './mistakable-letters.ts'
import { type Fields, type FieldsOf, type Schema, typeOf } from './schema.ts'
import { readTimestamp } from './timestamp.ts'

/** The code of each rule on a field, and its sentence. */
export const rules = {
  required: 'The :attribute field is required.',
  not_a_string: 'The :attribute field must be a string.',
  not_an_integer: 'The :attribute field must be an integer.',
  not_a_boolean: 'The :attribute field must be true or false.',
  not_a_list: 'The :attribute field must be an array.',
  not_an_object: 'The :attribute field must be an array.',
  not_a_date: 'The :attribute field must be a valid date.',
  not_an_email: 'The :attribute field must be a valid email address.',
  not_a_choice: 'The selected :attribute is invalid.',
  too_short: 'The :attribute field must be at least :value characters.',
  too_long: 'The :attribute field must not be greater than :value characters.',
  too_small: 'The :attribute field must be at least :value.',
  too_large: 'The :attribute field must not be greater than :value.',
  too_many: 'The :attribute field must not have more than :value items.',
  control_character: 'The :attribute field contains a control character (:value) that cannot be stored.',
  mistakable_letter:
    'The :attribute field contains a letter (:value) that counts as another one in email addresses.',
  broken_character: 'The :attribute field holds characters that cannot be stored.',
} as const

export type Rule = keyof typeof rules

type Validated<Value> = { value: Value } | { problems: Problems }
type Report = (rule: Rule, value?: number | string) => void

/** A list of 100,000 entries may hold as many problems, which nobody reads: making their sentences took 1.2 s. */
const mostProblems = 1000

/** The problems so far. */
class Found {
  readonly problems: Problems = {}
  #left = mostProblems

  /** `path` is the name of the field, which is needed only if it fails. */
  reporter(path: () => string): Report {
    return (rule, value) => {
      if (this.#left-- <= 0) return
      const key = path()
      this.problems[key] ??= []
      this.problems[key].push({
        code: rule,
        text: rules[rule],
        ...(value !== undefined && { values: { value } }),
      })
    }
  }
}

/** Checks a body against the declared fields, in their order, and returns every failing rule of every field. */
export function validate<Input extends Fields>(
  fields: Input,
  body: Record<string, unknown>,
): Validated<FieldsOf<Input>> {
  const found = new Found()
  const value: Record<string, unknown> = {}
  for (const [name, schema] of Object.entries(fields)) {
    const accepted = judge(() => name, schema, own(body, name), found)
    if (accepted !== undefined) value[name] = accepted
  }
  const { problems } = found
  return Object.keys(problems).length > 0 ? { problems } : { value: value as FieldsOf<Input> }
}

/** The value for the handler, or undefined if the field is absent. */
function judge(path: () => string, schema: Schema, given: unknown, found: Found): unknown {
  const report = found.reporter(path)
  const { type, isNullable } = typeOf(schema)
  // A control character at the ends would be trimmed with the spaces instead of being refused.
  const isTrimmed = typeof given === 'string' && schema['format'] !== 'password' && !controls.test(given)
  const value = isTrimmed ? trimmed(given) : given
  if (value === undefined || value === null || value === '') {
    const mayBeEmpty = isNullable && !(value === '' && schema['minLength'])
    if (!mayBeEmpty) report('required')
    return given === undefined ? undefined : null
  }
  if (schema['format'] === 'date-time') return judgeTimestamp(schema, value, report)
  if (type === 'array') return judgeList(path, schema, value, isNullable, report, found)
  judges[type]?.(schema, value, report)
  return value
}

function judgeTimestamp({ keepsOffset }: Schema, value: unknown, report: Report) {
  if (typeof value !== 'string') report('not_a_string')
  return readTimestamp(value, { keepsOffset }) ?? report('not_a_date')
}

/** Checks the size before the entries, and each field of all entries before the next field. */
function judgeList(
  path: () => string,
  schema: Schema,
  value: unknown,
  isNullable: boolean,
  report: Report,
  found: Found,
) {
  if (!Array.isArray(value)) return report('not_a_list')
  if (value.length === 0 && !isNullable) return report('required')
  if (value.length > schema['maxItems']) return report('too_many', schema['maxItems'])
  const entry: Schema = schema['items']
  if (typeOf(entry).type !== 'object')
    return value.map((given, index) => judge(() => `${path()}.${index}`, entry, given, found))
  value.forEach((given, index) => {
    if (!isObject(given)) found.reporter(() => `${path()}.${index}`)('not_an_object')
  })
  const accepted: Record<string, unknown>[] = value.map(() => ({}))
  for (const [name, field] of Object.entries(entry['properties'] as Fields)) {
    value.forEach((given, index) => {
      const pathOfField = () => `${path()}.${index}.${name}`
      const result = judge(pathOfField, field, isObject(given) ? own(given, name) : undefined, found)
      if (result !== undefined && accepted[index]) accepted[index][name] = result
    })
  }
  return accepted
}

const judges: Record<string, (schema: Schema, value: unknown, report: Report) => void> = {
  string({ format, enum: choices, pattern, minLength, maxLength }, value, report) {
    if (typeof value !== 'string') report('not_a_string')
    else if (format !== 'password') reportCharacters(value, report)
    if (format === 'email' && !isEmail(value)) report('not_an_email')
    if (choices && !choices.includes(value)) report('not_a_choice')
    if (typeof value !== 'string') return
    const letter = pattern === withoutMistakable ? mistakableLetterIn(value) : undefined
    if (letter) report('mistakable_letter', letter)
    if (countCodePoints(value, minLength) < minLength) report('too_short', minLength)
    if (countCodePoints(value, maxLength) > maxLength) report('too_long', maxLength)
  },
  integer({ minimum, maximum }, value, report) {
    if (!Number.isSafeInteger(value)) return report('not_an_integer')
    if (Number(value) < minimum) report('too_small', minimum)
    if (Number(value) > maximum) report('too_large', maximum)
  },
  boolean(_schema, value, report) {
    if (typeof value !== 'boolean') report('not_a_boolean')
  },
}

/** Spaces, characters without width and letters that are drawn as nothing, such as U+200B, U+3164 and U+2800. */
const unseen = /^[\s\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}\u2800]*$/u

/** Text of which nothing can be seen is empty: nobody could see or click what has it as its name. */
export const trimmed = (text: string): string => (unseen.test(text) ? '' : text.trim())

/** Half of a surrogate pair is not a character. */
const incomplete = /\p{Surrogate}/u

/** Control characters are invisible, and programs that read the text later may interpret them. Tabs and line breaks are allowed. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: this expression finds control characters.
const controls = /[\0-\x08\x0b\x0c\x0e-\x1f]/

/** The first control character, such as U+001B. */
export function controlCharacterIn(value: string): string | undefined {
  const control = controls.exec(value)?.[0].charCodeAt(0)
  return control === undefined ? undefined : `U+${control.toString(16).toUpperCase().padStart(4, '0')}`
}

function reportCharacters(value: string, report: Report) {
  const control = controlCharacterIn(value)
  if (control) report('control_character', control)
  if (incomplete.test(value)) report('broken_character')
}

/** As many characters as the domain name system allows. */
const longestDomain = 253

/**
 * Text before one @, and a domain without empty parts. Only a message would show whether the address exists. Mail programs drop `<` and `>`
 * and read wide letters and dots as the usual ones, so one mailbox would have many addresses with them. A longer domain is not normalized,
 * because that takes time that grows with the square of its combining marks: 30,000 of them kept everybody waiting for seconds.
 */
export function isEmail(value: unknown): value is string {
  if (typeof value !== 'string') return false
  const [, domain] = /^[^\s@\0<>]+@([^\s@\0<>.\u3002]+(?:\.[^\s@\0<>.\u3002]+)*)$/.exec(value) ?? []
  if (domain === undefined || domain.length > longestDomain) return false
  return domain.normalize('NFKC') === domain.normalize('NFC')
}

/** Counts UTF-16 units if they decide the comparison, because there are at most twice as many as code points. */
const countCodePoints = (value: string, limit: number | undefined) =>
  limit === undefined || value.length < limit || value.length > 2 * limit ? value.length : [...value].length

export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const own = (object: Record<string, unknown>, name: string) =>
  Object.hasOwn(object, name) ? object[name] : undefined

/** The rules that a value of this schema can fail, by field. Fields of a list's entries are named as in `entries.*.id`. */
export function rulesOf(name: string, schema: Schema): [field: string, Rule[]][] {
  const { type, isNullable } = typeOf(schema)
  const { format, minLength, maxLength, minimum, maximum, maxItems } = schema
  const isText = type === 'string' && format !== 'date-time'
  const own: (Rule | false)[] = [
    type !== 'object' && (!isNullable || minLength !== undefined) && 'required',
    type === 'string' && 'not_a_string',
    type === 'integer' && 'not_an_integer',
    type === 'boolean' && 'not_a_boolean',
    type === 'array' && 'not_a_list',
    type === 'object' && 'not_an_object',
    format === 'date-time' && 'not_a_date',
    format === 'email' && 'not_an_email',
    schema['pattern'] === withoutMistakable && 'mistakable_letter',
    schema['enum'] !== undefined && 'not_a_choice',
    isText && minLength > 1 && 'too_short',
    isText && maxLength !== undefined && 'too_long',
    minimum !== undefined && 'too_small',
    maximum !== undefined && 'too_large',
    maxItems !== undefined && 'too_many',
    isText && format !== 'password' && 'control_character',
    isText && format !== 'password' && 'broken_character',
  ]
  const fields = Object.entries((schema['properties'] ?? {}) as Fields)
  return [
    [name, own.filter((rule) => rule !== false)],
    ...(schema['items'] ? rulesOf(`${name}.*`, schema['items']) : []),
    ...fields.flatMap(([field, inner]) => rulesOf(`${name}.${field}`, inner)),
  ]
}
