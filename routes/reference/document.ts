// The parts of the OpenAPI document that the reference shows, arranged as it shows them.
import { v2Path } from '#contract/router.ts'

export interface SchemaObject {
  type?: string | string[]
  format?: string
  description?: string
  /** The forms of which one is enough. */
  anyOf?: { format?: string; pattern?: string }[]
  enum?: (string | null)[]
  const?: boolean
  minLength?: number
  maxLength?: number
  minimum?: number
  maximum?: number
  minItems?: number
  maxItems?: number
  items?: SchemaObject
  properties?: Record<string, SchemaObject>
  required?: string[]
  additionalProperties?: boolean | SchemaObject
  'x-since'?: 'v2'
}

interface Content {
  content: { 'application/json': { schema: SchemaObject; example?: object } }
}

export interface ResponseObject extends Content {
  description: string
  headers: Record<string, { description: string }>
  /** The sentences of this operation's own codes. Codes that every operation has are in the document's `x-codes`. */
  'x-codes'?: Record<string, string>
}

interface OperationObject {
  operationId: string
  summary: string
  /** Paragraphs with \`code\`. */
  description: string
  tags: string[]
  'x-audience': string
  /** The account of the demo for which the example works. */
  'x-example-account'?: string
  /** The code that the example is refused with on the demo, and the reason. */
  'x-example-refusal'?: { code: string; because: string }
  parameters: { name: string; in: string; description: string }[]
  requestBody: Content
  responses: Record<string, ResponseObject>
}

export interface OpenapiDocument {
  info: { title: string; version: string; description: string }
  servers: { url: string }[]
  tags: { name: string; description: string }[]
  /** Operations have a `post`, and the event stream a `get`. */
  paths: Record<string, { post?: OperationObject; get?: Pick<OperationObject, 'responses'> }>
  components: { schemas: Record<string, SchemaObject> }
  /** The schemas whose fields are all described. */
  'x-contract-objects': string[]
  'x-codes': Record<string, Record<string, string>>
  'x-field-codes': Record<string, string>
}

/** The same document with every reference replaced by what it names. */
export function dereferenced(document: object): OpenapiDocument {
  const resolved = new Map<string, unknown>()
  const find = (reference: string): unknown =>
    reference
      .slice('#/'.length)
      .split('/')
      .reduce((value, key) => (value as Record<string, unknown>)[key], document as unknown)
  const replace = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(replace)
    if (typeof value !== 'object' || value === null) return value
    const { $ref: reference } = value as { $ref?: unknown }
    if (typeof reference !== 'string')
      return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, replace(inner)]))
    if (!resolved.has(reference)) resolved.set(reference, replace(find(reference)))
    return resolved.get(reference)
  }
  return replace(document) as OpenapiDocument
}

export interface Entry {
  path: string
  v2Path: string
  /** From the last part of its path: `Revoke all`. */
  name: string
  resource: string
  v1: OperationObject
  v2: OperationObject
}

/** The operations of one tag: `identity/sessions` is the resource `Sessions` of the area `Identity`. */
export interface Resource {
  id: string
  area: string
  name: string
  description: string
  entries: Entry[]
}

export function resourcesOf({ tags, paths }: OpenapiDocument): Resource[] {
  const resources = new Map(tags.map(({ name, description }) => [name, resourceOf(name, description)]))
  for (const [path, { post: v1 }] of Object.entries(paths)) {
    if (!v1) continue
    const v2 = paths[v2Path(path)]?.post
    // A v2 path is shown with its v1.
    const resource = resources.get(v1.tags[0] ?? '')
    if (!resource || !v2 || v2 === v1) continue
    const name = inWords(path.slice(path.lastIndexOf('/') + 1))
    resource.entries.push({ path, v2Path: v2Path(path), name, resource: resource.name, v1, v2 })
  }
  // Signing in belongs to no area and comes first.
  return [...resources.values()]
    .filter(({ entries }) => entries.length > 0)
    .sort((a, b) => Number(a.area !== '') - Number(b.area !== ''))
}

function resourceOf(tag: string, description: string): Resource {
  const parts = tag.split('/')
  return {
    id: `resource.${parts.join('.')}`,
    area: [...new Set(parts.slice(0, -1))].map(inWords).join(' / '),
    name: inWords(parts.at(-1) ?? ''),
    description,
    entries: [],
  }
}

/** `revoke-all` is `Revoke all`. */
function inWords(part: string): string {
  const words = part.replaceAll('-', ' ')
  return words.charAt(0).toUpperCase() + words.slice(1)
}

export const inputOf = (operation: OperationObject) =>
  operation.requestBody.content['application/json'].schema

export const exampleInputOf = (operation: OperationObject) =>
  operation.requestBody.content['application/json'].example

export const bodyOf = (response: ResponseObject) => response.content['application/json'].schema

export const isSuccess = (status: string) => status.startsWith('2')

/** The status of success and its answer. */
export function successOf({
  operationId,
  responses,
}: OperationObject): [status: string, response: ResponseObject] {
  const success = Object.entries(responses).find(([status]) => isSuccess(status))
  if (!success) throw new Error(`${operationId} declares no success`)
  return success
}

/** The keys of `data` that v1 sends as text, and v2 with their real type. */
export function textInV1({ v1, v2 }: Entry): Set<string> {
  const dataOf = (operation: OperationObject) =>
    bodyOf(successOf(operation)[1]).properties?.['data']?.properties ?? {}
  const typeOf = (schema: SchemaObject = {}) => plainType(schema.items ?? schema).type
  const [first, second] = [dataOf(v1), dataOf(v2)]
  return new Set(Object.keys(second).filter((key) => typeOf(first[key]) !== typeOf(second[key])))
}

/** The plain type and the nullability of a schema. */
export function plainType({ type = 'any' }: SchemaObject): { type: string; isNullable: boolean } {
  const types = [type].flat()
  return { type: types.find((name) => name !== 'null') ?? 'null', isNullable: types.includes('null') }
}

/** The format of a schema; of several forms the first. */
export const formatOf = ({ format, anyOf }: SchemaObject) => format ?? anyOf?.[0]?.format
