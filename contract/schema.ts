// The schemas of inputs and results; the only file that uses TypeBox.
import { type Static, type TProperties, type TSchema, Type } from '@sinclair/typebox'
import { withoutMistakable } from './mistakable-letters.ts'

export type { Static, TProperties as Fields, TSchema as Schema }

/** The limit of texts for which the contract sets none (docs/decisions.md, Limits). */
const longestText = 65_535

interface Described {
  /** What the reference says of a result field, or of an input field that means something else than its name usually does (api/field-descriptions.ts). */
  about?: string
}

const described = (about: string | undefined) => (about === undefined ? {} : { description: about })

/** With `min: 1`, an optional field may be left out but not empty. */
export const text = ({ min, max = longestText, about }: { min?: 1; max?: number } & Described = {}) =>
  Type.String({ ...(min && { minLength: min }), maxLength: max, ...described(about) })

/** Far more than a password has, so that operations that take one need no large bodies. */
const longestSecret = 2048

/** Not trimmed and not restricted, because it is compared exactly as typed. */
export const secret = ({ min = 1 } = {}) =>
  Type.String({ format: 'password', minLength: min, maxLength: longestSecret })

export const email = () => Type.String({ format: 'email', maxLength: 254 })

/** Of a new account, or one that somebody changes to. */
export const newEmail = () => Type.String({ format: 'email', maxLength: 254, pattern: withoutMistakable })

export const integer = ({ min, max, about }: { min?: number; max?: number } & Described = {}) =>
  Type.Integer({
    ...(min !== undefined && { minimum: min }),
    ...(max !== undefined && { maximum: max }),
    ...described(about),
  })

export const flag = ({ about }: Described = {}) => Type.Boolean(described(about))

/** A point in time: in UTC with milliseconds in answers, a date or any usual form of date and time in input. */
export const timestamp = ({ about }: Described = {}) =>
  Type.String({ format: 'date-time', ...described(about) })

/** The same in input, with its offset, for an operation that needs the day as it was written. */
export const timestampWithOffset = ({ about }: Described = {}) =>
  Type.String({ format: 'date-time', keepsOffset: true, ...described(about) })

export const oneOf = <const Values extends readonly string[]>(values: Values, { about }: Described = {}) =>
  Type.Unsafe<Values[number]>({ type: 'string', enum: values, ...described(about) })

export const list = <Entry extends TSchema>(
  entry: Entry,
  { max, about }: { max?: number } & Described = {},
) => Type.Array(entry, { ...(max !== undefined && { maxItems: max }), ...described(about) })

export const record = <Properties extends TProperties>(properties: Properties, { about }: Described = {}) =>
  Type.Object(properties, { additionalProperties: false, ...described(about) })

/** A result field that v1 does not have, because the contract fixes v1's keys. */
export const onlyInV2 = <S extends TSchema>(schema: S): S => ({ ...schema, 'x-since': 'v2' })

export const isOnlyInV2 = (schema: TSchema) => schema['x-since'] === 'v2'

/** An object with varying keys. */
export const details = () =>
  Type.Unsafe<Record<string, unknown>>({ type: 'object', additionalProperties: true })

/** The contract's `data: []` of answers without data. */
export const nothing = Type.Unsafe<readonly never[]>({ type: 'array', maxItems: 0, items: {} })

/** A type list instead of anyOf: OpenAPI 3.1 reads it and the serializer needs no validator to choose a branch. */
export function nullable<S extends TSchema>(schema: S) {
  const { type, enum: values, ...rest } = schema
  return Type.Unsafe<Static<S> | null>({
    ...rest,
    type: [type, 'null'],
    ...(values && { enum: [...values, null] }),
  })
}

/** A field that may be left out or null. */
export const optional = <S extends TSchema>(schema: S) => Type.Optional(nullable(schema))

/** Literal JSON Schema, for documentation only. */
export const written = (schema: Readonly<Record<string, unknown>>) => Type.Unsafe<unknown>(schema)

export type FieldsOf<Properties extends TProperties> = Static<ReturnType<typeof record<Properties>>>

/** The plain type and the nullability behind a schema made by `nullable`. */
export function typeOf(schema: TSchema): { type: string; isNullable: boolean } {
  const type: string | string[] = schema['type']
  return Array.isArray(type) ? { type: type[0] as string, isNullable: true } : { type, isNullable: false }
}
