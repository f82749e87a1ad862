// Every type that rows are read as says what PostgreSQL describes: the columns by name, what they are in JavaScript, and whether they can be
// null. A statement is joined to its type by the line that ran it, so all are checked that a test runs.
import path from 'node:path'
import { loadModule } from 'libpg-query'
import { type Node, SyntaxKind } from 'typescript/unstable/ast'
import { API, type Checker, type Project, SymbolFlags, type Type, TypeFlags } from 'typescript/unstable/sync'
import type { Queries } from '#database/connect.ts'
import type { SeenStatement } from '#tests/observed-postgres.ts'
import { isOuterJoined } from './outer-joins.ts'

const root = path.join(import.meta.dirname, '..')

/** What database/connect.ts makes of PostgreSQL's types, by their numbers in pg_type; all others are strings. */
const inJavaScript: Readonly<Record<number, string>> = {
  16: 'boolean',
  17: 'Buffer',
  20: 'number',
  21: 'number',
  23: 'number',
  114: 'anything',
  700: 'number',
  701: 'number',
  1016: 'number[]',
  3802: 'anything',
}

/** A property of a row type. */
interface Field {
  /** Its type without null, as words and as what of PostgreSQL it can hold. */
  text: string
  kinds: string[]
  isNullable: boolean
  isOptional: boolean
  /** Written for this statement; what the contract declares may be wider than one table. */
  isOwn: boolean
}

interface Row {
  fields: ReadonlyMap<string, Field>
  /** It names only some of its columns, or none. */
  isOpen: boolean
}

/** What differs, in words; undefined where nothing does. */
export async function driftedRows(
  { sql }: Queries,
  seen: readonly SeenStatement[],
): Promise<string | undefined> {
  const found = await sql<{ key: string; name: string; is_required: boolean }[]>`
    select attrelid || ' ' || attnum as key, attname as name, attnotnull as is_required from pg_attribute where attnum > 0`
  const columnsOfTables = new Map(found.map((column) => [column.key, column]))
  await loadModule()
  const api = new API({ cwd: root })
  try {
    const [project] = api.updateSnapshot({ openProjects: [path.join(root, 'tsconfig.json')] }).getProjects()
    const rowAt = rowReader(project as Project)
    const inTable = (column: Column) => columnsOfTables.get(`${column.table} ${column.number}`)
    const problems = seen.flatMap((statement) => {
      const at = statement.at.find(rowAt)
      const row = at && rowAt(at)
      return row ? drift(row, statement, inTable).map((problem) => `${at}: ${problem}`) : []
    })
    return problems.length > 0 ? [...new Set(problems)].sort().join('\n') : undefined
  } finally {
    api.close()
  }
}

type Column = SeenStatement['columns'][number]
type InTable = (column: Column) => { name: string; is_required: boolean } | undefined

function drift({ fields, isOpen }: Row, { columns, text }: SeenStatement, inTable: InTable): string[] {
  const missing = [...fields].filter(
    ([name, { isOptional }]) => !isOptional && !columns.some((column) => column.name === name),
  )
  const differing = columns.flatMap((column, index) => {
    const field = fields.get(column.name)
    if (!field) return isOpen ? [] : [`the type does not know the column ${column.name}`]
    const kind = inJavaScript[column.type] ?? 'string'
    return [
      ...(field.kinds.includes(kind) ? [] : [`${column.name} is ${kind}, read as ${field.text}`]),
      ...nullDrift(field, column, text, inTable(column), isOuterJoined(text, index)),
    ]
  })
  return [...missing.map(([name]) => `the statement has no column ${name}`), ...differing]
}

/** Only what is certain: null was seen, an outer join can leave the row out, or the column says so and nothing in the statement speaks against it. */
function nullDrift(
  field: Field,
  column: Column,
  text: string,
  inTable: ReturnType<InTable>,
  isOuter: boolean | undefined,
): string[] {
  if (!field.isNullable && column.wasNull) return [`${column.name} was null`]
  if (!inTable) return []
  const { name, is_required: isRequired } = inTable
  if (isOuter && !field.isNullable) return [`${column.name} is null where an outer join finds no row`]
  if (isOuter === false && field.isNullable && isRequired && field.isOwn)
    return [`${column.name} is never null`]
  const isGiven = new RegExp(
    `\\b${name} *(=|<|>|in\\b|is not null)|[=<>] *(\\w+\\.)?${name}\\b|\\binsert into\\b`,
  ).test(text)
  return field.isNullable || isRequired || isGiven ? [] : [`${column.name} can be null`]
}

/** Reads the row type at the line that ran a statement; undefined where only the caller knows it, or nobody reads rows. */
function rowReader({ checker, program }: Project): (at: string) => Row | undefined {
  const known = new Map<string, Row | undefined>()
  const read = (at: string) => {
    const [file, line, column] = at.split(':') as [string, string, string]
    const source = program.getSourceFile(path.join(root, file))
    if (!source) return undefined
    const before = source.text.split('\n').slice(0, Number(line) - 1)
    const position = before.reduce((sum, { length }) => sum + length + 1, Number(column) - 1)
    const node = innermostRead(source, position)
    let type = node && checker.getTypeAtLocation(node)
    while (type && !checker.isArrayType(type)) type = argumentOf(checker, type)
    const row = type && argumentOf(checker, type)
    if (!row || row.isTypeParameter()) return undefined
    const fields = fieldsOf(checker, row)
    return { fields, isOpen: fields.size === 0 || checker.getIndexInfosOfType(row).length > 0 }
  }
  return (at) => {
    if (!known.has(at)) known.set(at, read(at))
    return known.get(at)
  }
}

function fieldsOf(checker: Checker, row: Type): ReadonlyMap<string, Field> {
  return new Map(
    namedProperties(checker, row).map((property) => {
      const type = checker.getTypeOfSymbol(property) as Type
      const present = checker.getNonNullableType(type) as Type
      const text = checker.typeToString(present)
      const basic = {
        number: checker.getNumberType(),
        string: checker.getStringType(),
        boolean: checker.getBooleanType(),
      }
      const isOpen = (type.flags & (TypeFlags.Any | TypeFlags.Unknown)) !== 0
      const kinds = Object.entries(basic).filter(
        ([, kind]) => isOpen || checker.isTypeAssignableTo(present, kind),
      )
      const field: Field = {
        text,
        kinds: [...kinds.map(([kind]) => kind), text.replace(/<.*/, ''), 'anything'],
        isNullable: isOpen || checker.isTypeAssignableTo(checker.getNullType(), type),
        isOptional: (property.flags & SymbolFlags.Optional) !== 0,
        isOwn: !isOpen && property.valueDeclaration?.kind === SyntaxKind.PropertySignature,
      }
      return [property.name, field]
    }),
  )
}

/** Without symbols, such as that of an iterator. */
const namedProperties = (checker: Checker, row: Type) =>
  checker.getPropertiesOfType(row).filter(({ name }) => !name.startsWith('__@'))

/** `X` of `Promise<X>`, `PendingQuery<X>` or `X[]`. */
const argumentOf = (checker: Checker, type: Type): Type | undefined =>
  type.isTypeReference() ? checker.getTypeArguments(type)[0] : undefined

/** The smallest call or tagged template around a position. */
function innermostRead(node: Node, position: number): Node | undefined {
  let found: Node | undefined
  node.forEachChild((child) => {
    if (child.pos <= position && position < child.end) found ??= innermostRead(child, position)
  })
  const isRead = node.kind === SyntaxKind.CallExpression || node.kind === SyntaxKind.TaggedTemplateExpression
  return found ?? (isRead ? node : undefined)
}
