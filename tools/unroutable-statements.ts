// Every statement says of each tenant table which projects it is about, so that a sharded PostgreSQL can send it to one shard:
// `project_id = $1`, or `= any($1)` in a rollout. A join with a table that says so is not enough, since planners follow it only in simple cases.
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { loadModule, parsePlPgSQLSync, parseSync } from 'libpg-query'
import type { SeenStatement } from '#tests/observed-postgres.ts'

/** Tables with a project_id that every shard would have a copy of; all others with one are tenant tables. */
const reference = [
  'memberships',
  'themes',
  'theme_versions',
  'theme_choices',
  'theme_campaign_projects',
  'rollout_refusals',
  'project_labels',
  'project_figures',
  'project_template_states',
  'subscription_figures',
  'support_visits',
]

/** Who uses tenant tables without their project_id, which ones, and why; this list may only shrink. */
const exceptions: readonly [by: string, tables: string, why: string][] = [
  [
    'api/scope.ts',
    'boards groups cards comments tags saved_views subscriptions',
    'finds the project of an id',
  ],
  [
    'billing/sandbox.ts',
    'checkouts subscriptions',
    'finds a session by its token, and what is due in all projects',
  ],
  [
    'billing/shown-orders.ts',
    'checkouts',
    'finds orders by reference or key, and the open ones of all projects',
  ],
  [
    'boards/trash/purging.ts',
    'boards groups cards comments comment_reads tags events',
    'finds what is due in all projects',
  ],
  ['counted_sizes', 'boards groups cards comments', 'counts in many projects, or in all'],
  ['identity/caller.ts', 'boards events project_versions', 'reads for callers of many projects at once'],
  [
    'rollouts/apply.ts',
    'boards groups cards comments',
    'looks copies up by the key of each project of a batch',
  ],
  ['coverage/counts.ts', 'boards', 'corrects the counts of copies in all projects'],
  ['rollouts/starting.ts', 'boards', 'lists all projects that have no copy, or an old one'],
]

type Tree = Record<string, unknown>

/** What is used without a project_id by the statements of a run or the functions of the schema, in words; undefined where nothing is. */
export async function unroutableStatements(
  seen: readonly SeenStatement[],
  { isWhole }: { isWhole: boolean },
): Promise<string | undefined> {
  await loadModule()
  const schema = readFileSync(path.join(import.meta.dirname, '../database/schema.sql'))
  const { stmts = [] } = parseSync(schema.toString())
  const tenant = new Set(nodes(stmts, 'CreateStmt').filter(hasProject).map(tableOf))
  for (const table of reference) tenant.delete(table)

  const found = new Map<string, string>()
  const judge = (by: string, text: string, values: readonly string[] = []) => {
    for (const table of unbound(parseSync(text), tenant, values)) found.set(`${by}: ${table}`, text)
  }
  for (const { at, text } of seen) {
    const by = String(at[0]).replace(/:.*/, '')
    if (!by.startsWith('database/migrat')) judge(by, text)
  }
  for (const { stmt, stmt_location: start = 0, stmt_len: length = 0 } of stmts)
    for (const definition of nodes(stmt, 'CreateFunctionStmt')) {
      const source = schema.subarray(start, start + length).toString()
      const parameters = nodes(definition, 'FunctionParameter').map(({ name }) => String(name))
      for (const text of statementsIn(definition, source)) judge(nameOf(definition), text, parameters)
    }

  const excepted = exceptions.flatMap(([by, tables]) => tables.split(' ').map((table) => `${by}: ${table}`))
  const problems = [
    ...[...found]
      .filter(([use]) => !excepted.includes(use))
      .map(([use, text]) => `without its own project_id in ${use}\n${text.replace(/^/gm, '  ')}`),
    ...excepted.filter((use) => isWhole && !found.has(use)).map((use) => `no longer an exception: ${use}`),
  ]
  return problems.length > 0 ? problems.join('\n') : undefined
}

/** The tenant tables that a statement, or any part of it, uses without saying whose rows. */
function unbound(statement: unknown, tenant: ReadonlySet<string>, values: readonly string[]): string[] {
  const named = nodes(statement, 'CommonTableExpr').map(({ ctename }) => String(ctename))
  const isTenant = (table: string) => tenant.has(table) && !named.includes(table)
  const inserts = nodes(statement, 'InsertStmt').filter(
    (insert) =>
      isTenant(tableOf(insert)) &&
      Array.isArray(insert['cols']) &&
      !JSON.stringify(insert['cols']).includes('"project_id"'),
  )
  const levels = [
    ...['SelectStmt', 'UpdateStmt', 'DeleteStmt'].flatMap((kind) => nodes(statement, kind)),
    // The sides of a union; those of a join have the same names and no operator.
    ...['larg', 'rarg'].flatMap((side) => nodes(statement, side)).filter(({ op }) => op !== undefined),
  ]
  const unboundIn = (level: Tree) => {
    const { relation, fromClause, usingClause, whereClause } = level
    const here = [...(relation ? [{ RangeVar: relation }] : []), fromClause ?? [], usingClause ?? []]
    const tables = nodes(here, 'RangeVar', notDeeper).filter((range) => isTenant(String(range['relname'])))
    const conditions = [whereClause, ...nodes(here, 'JoinExpr', notDeeper).map(({ quals }) => quals)].flatMap(
      conjuncts,
    )
    return tables
      .filter((range) => !conditions.some((condition) => binds(condition, range, tables.length, values)))
      .map(({ relname }) => String(relname))
  }
  return [...inserts.map(tableOf), ...levels.flatMap(unboundIn)]
}

const notDeeper = ['SelectStmt', 'SubLink']

/** Whether a condition is `<range>.project_id = <a value>`, `= any(<values>)` or `in (<values>)`. */
function binds(condition: Tree, range: Tree, tables: number, values: readonly string[]): boolean {
  const { kind, name, lexpr, rexpr } = (condition['A_Expr'] ?? {}) as Tree
  if (!['AEXPR_OP', 'AEXPR_OP_ANY', 'AEXPR_IN'].includes(String(kind))) return false
  if ((name as { String: { sval: string } }[])[0]?.String.sval !== '=') return false
  const alias = (range['alias'] as { aliasname: string } | undefined)?.aliasname ?? range['relname']
  const isProject = (side: unknown) => {
    const [column, of] = fieldsOf(side).toReversed()
    return column === 'project_id' && (of === undefined ? tables === 1 : of === alias)
  }
  const isValue = (side: unknown): boolean => {
    const { TypeCast, ParamRef, A_Const, List } = side as Record<string, Tree | undefined>
    if (TypeCast) return isValue(TypeCast['arg'])
    if (List) return (List['items'] as Tree[]).every(isValue)
    return (
      ParamRef !== undefined ||
      A_Const !== undefined ||
      (fieldsOf(side).length === 1 && values.includes(fieldsOf(side)[0] as string))
    )
  }
  return (isProject(lexpr) && isValue(rexpr)) || (kind === 'AEXPR_OP' && isProject(rexpr) && isValue(lexpr))
}

const fieldsOf = (expression: unknown): string[] =>
  ((expression as { ColumnRef?: { fields: { String?: { sval: string } }[] } }).ColumnRef?.fields ?? []).map(
    ({ String: name }) => name?.sval ?? '*',
  )

function conjuncts(condition: unknown): Tree[] {
  if (condition === undefined) return []
  const { BoolExpr } = condition as { BoolExpr?: { boolop: string; args: unknown[] } }
  return BoolExpr?.boolop === 'AND_EXPR' ? BoolExpr.args.flatMap(conjuncts) : [condition as Tree]
}

/** The statements in the body of a function. */
function statementsIn(definition: Tree, source: string): string[] {
  const option = (name: string) =>
    nodes(definition['options'], 'DefElem').find(({ defname }) => defname === name)?.['arg']
  if ((option('language') as { String: { sval: string } }).String.sval === 'sql')
    return nodes(option('as'), 'String').map(({ sval }) => String(sval))
  return nodes(parsePlPgSQLSync(source), 'PLpgSQL_expr').map(({ query, parseMode }) =>
    parseMode === 0 ? String(query) : `select ${String(query).replace(/^[\w.]+ :=/, '')}`,
  )
}

/** All nodes of a kind in a tree; `except` names kinds that are not looked into. */
function nodes(tree: unknown, kind: string, except: readonly string[] = []): Tree[] {
  if (typeof tree !== 'object' || tree === null) return []
  return Object.entries(tree).flatMap(([name, child]) => [
    ...(name === kind ? [child as Tree] : []),
    ...(except.includes(name) ? [] : nodes(child, kind, except)),
  ])
}

const tableOf = ({ relation }: Tree): string => String((relation as Tree)['relname'])
const nameOf = ({ funcname }: Tree): string => String(nodes(funcname, 'String').at(-1)?.['sval'])
const hasProject = (table: Tree): boolean =>
  nodes(table, 'ColumnDef').some(({ colname }) => colname === 'project_id')
