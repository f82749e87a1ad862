import type { FieldErrors } from './operation.ts'
import { type Fields, type FieldsOf, type Schema, typeOf } from './schema.ts'
import { readTimestamp } from './timestamp.ts'

type Validated<Value> = { value: Value } | { errors: FieldErrors }
type Report = (sentence: string) => void

/** Judges a body against the declared fields, in their order, with every failing rule of every field. */
export function validate<Input extends Fields>(
  fields: Input,
  body: Record<string, unknown>,
): Validated<FieldsOf<Input>> {
  const errors: FieldErrors = {}
  const value: Record<string, unknown> = {}
  for (const [name, schema] of Object.entries(fields)) {
    const accepted = judge(name, name.replaceAll('_', ' '), schema, own(body, name), errors)
    if (accepted !== undefined) value[name] = accepted
  }
  return Object.keys(errors).length > 0 ? { errors } : { value: value as FieldsOf<Input> }
}

/** The value to hand on, or undefined where the field is absent. */
function judge(key: string, label: string, schema: Schema, given: unknown, errors: FieldErrors): unknown {
  const report: Report = (sentence) => {
    errors[key] ??= []
    errors[key].push(sentence.replace(':attribute', label))
  }
  const { type, isNullable } = typeOf(schema)
  const value = typeof given === 'string' && schema['format'] !== 'password' ? given.trim() : given
  if (value === undefined || value === null || value === '') {
    const mayBeEmpty = isNullable && !(value === '' && schema['minLength'])
    if (!mayBeEmpty) report('The :attribute field is required.')
    return given === undefined ? undefined : null
  }
  if (schema['format'] === 'date-time') return judgeTimestamp(value, report)
  if (type === 'array') return judgeList(key, schema, value, isNullable, report, errors)
  rules[type]?.(schema, value, report)
  return value
}

function judgeTimestamp(value: unknown, report: Report) {
  if (typeof value !== 'string') report('The :attribute field must be a string.')
  return readTimestamp(value) ?? report('The :attribute field must be a valid date.')
}

/** The size before the entries, and each field of the entries through the whole list before the next field. */
function judgeList(
  key: string,
  schema: Schema,
  value: unknown,
  isNullable: boolean,
  report: Report,
  errors: FieldErrors,
) {
  if (!Array.isArray(value)) return report('The :attribute field must be an array.')
  if (value.length === 0 && !isNullable) return report('The :attribute field is required.')
  if (value.length > schema['maxItems'])
    return report(`The :attribute field must not have more than ${schema['maxItems']} items.`)
  const entry: Schema = schema['items']
  if (typeOf(entry).type !== 'object')
    return value.map((given, index) => judge(`${key}.${index}`, `${key}.${index}`, entry, given, errors))
  value.forEach((given, index) => {
    if (!isObject(given)) errors[`${key}.${index}`] = [`The ${key}.${index} field must be an array.`]
  })
  const accepted: Record<string, unknown>[] = value.map(() => ({}))
  for (const [name, field] of Object.entries(entry['properties'] as Fields)) {
    value.forEach((given, index) => {
      const path = `${key}.${index}.${name}`
      const result = judge(path, path, field, isObject(given) ? own(given, name) : undefined, errors)
      if (result !== undefined && accepted[index]) accepted[index][name] = result
    })
  }
  return accepted
}

const rules: Record<string, (schema: Schema, value: unknown, report: Report) => void> = {
  string({ format, enum: choices, minLength, maxLength }, value, report) {
    if (typeof value !== 'string') report('The :attribute field must be a string.')
    else if (format !== 'password') reportCharacters(value, report)
    if (format === 'email' && !isEmail(value)) report('The :attribute field must be a valid email address.')
    if (choices && !choices.includes(value)) report('The selected :attribute is invalid.')
    if (typeof value !== 'string') return
    if (countCodePoints(value, minLength) < minLength)
      report(`The :attribute field must be at least ${minLength} characters.`)
    if (countCodePoints(value, maxLength) > maxLength)
      report(`The :attribute field must not be greater than ${maxLength} characters.`)
  },
  integer({ minimum, maximum }, value, report) {
    if (!Number.isSafeInteger(value)) return report('The :attribute field must be an integer.')
    if (Number(value) < minimum) report(`The :attribute field must be at least ${minimum}.`)
    if (Number(value) > maximum) report(`The :attribute field must not be greater than ${maximum}.`)
  },
  boolean(_schema, value, report) {
    if (typeof value !== 'boolean') report('The :attribute field must be true or false.')
  },
}

/** Halves of surrogate pairs are no characters. */
const incomplete = /\p{Surrogate}/u

/** Nobody can see them, and programs that read the text later may obey them; tabs and line breaks are text. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what it is about.
const controls = /[\0-\x08\x0b\x0c\x0e-\x1f]/

function reportCharacters(value: string, report: Report) {
  const control = controls.exec(value)?.[0].charCodeAt(0)
  const code = control?.toString(16).toUpperCase().padStart(4, '0')
  if (code) report(`The :attribute field contains a control character (U+${code}) that cannot be stored.`)
  if (incomplete.test(value)) report('The :attribute field holds characters that cannot be stored.')
}

/** Something before one @, and a domain without empty parts; whether it exists, only a message to it would tell. */
export const isEmail = (value: unknown) =>
  typeof value === 'string' && /^[^\s@\0]+@[^\s@\0.]+(?:\.[^\s@\0.]+)*$/.test(value)

/** UTF-16 units where they settle the comparison with the limit, since they are at most twice the code points. */
const countCodePoints = (value: string, limit: number | undefined) =>
  limit === undefined || value.length < limit || value.length > 2 * limit ? value.length : [...value].length

export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const own = (object: Record<string, unknown>, name: string) =>
  Object.hasOwn(object, name) ? object[name] : undefined

/** The first sentence and how many more there are: the contract's `message` of a validation error. */
export function overview(errors: FieldErrors): string {
  const sentences = Object.values(errors).flat()
  const more = sentences.length - 1
  return more > 0
    ? `${sentences[0]} (and ${more} more ${more === 1 ? 'error' : 'errors'})`
    : (sentences[0] ?? '')
}
