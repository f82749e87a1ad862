// Says of the columns of a statement whether an outer join can leave them without a row, as PostgreSQL itself does not tell.
import { parseSync } from 'libpg-query'

type Tree = Record<string, unknown>

interface Source {
  tree: Tree
  /** On the side of an outer join that may have no row. */
  isOuter: boolean
}

/** A select with the named queries that it can read from. */
interface Level {
  select: Tree
  named: ReadonlyMap<string, Tree>
}

/** Whether an outer join can make the column of a plain select null; undefined where that cannot be read from the statement. */
export function isOuterJoined(text: string, index: number): boolean | undefined {
  if (!/\b(left|right|full)\b/i.test(text)) return false
  const [first] = parseSync(text).stmts as { stmt: Tree }[]
  const select = first?.stmt['SelectStmt'] as Tree | undefined
  if (!select) return undefined
  const level = levelOf(select, new Map())
  const targets = targetsOf(select)
  // A star stands for an unknown number of columns.
  if (targets.slice(0, index + 1).some(({ val }) => fieldsOf(val).at(-1) === '*')) return undefined
  return isOuter(level, targets[index]?.val)
}

function isOuter(level: Level, value: unknown): boolean | undefined {
  const [name, of] = fieldsOf(value).toReversed()
  if (name === undefined) return undefined
  const sources = new Map(
    (level.select['fromClause'] as Tree[] | undefined)?.flatMap((tree) => sourcesOf(tree)),
  )
  const alias = of ?? (sources.size === 1 ? [...sources.keys()][0] : undefined)
  const source = alias === undefined ? undefined : sources.get(alias)
  if (alias === undefined || !source) return undefined
  if (source.isOuter && !isRequired(level.select['whereClause'], alias)) return true
  const inner = queryOf(source.tree, level)
  if (!inner) return false
  const target = targetsOf(inner.select).find((one) => (one.name ?? fieldsOf(one.val).at(-1)) === name)
  return target ? isOuter(inner, target.val) : undefined
}

/** The tables and queries of a from clause by the names that the select gives them. */
function sourcesOf(tree: Tree, isOuter = false): [string, Source][] {
  const join = tree['JoinExpr'] as { jointype: string; larg: Tree; rarg: Tree } | undefined
  if (join) {
    const { jointype, larg, rarg } = join
    return [
      ...sourcesOf(larg, isOuter || ['JOIN_RIGHT', 'JOIN_FULL'].includes(jointype)),
      ...sourcesOf(rarg, isOuter || ['JOIN_LEFT', 'JOIN_FULL'].includes(jointype)),
    ]
  }
  const [source] = Object.values(tree) as [Tree]
  const alias = (source['alias'] as { aliasname: string } | undefined)?.aliasname ?? source['relname']
  return alias === undefined ? [] : [[String(alias), { tree, isOuter }]]
}

/** The select that a source reads from; undefined for a table or a function. */
function queryOf({ RangeSubselect, RangeVar }: Tree, { named }: Level): Level | undefined {
  const subquery = (RangeSubselect as { subquery: Tree } | undefined)?.subquery['SelectStmt']
  const query = subquery ?? named.get(String((RangeVar as Tree | undefined)?.['relname']))
  return query === undefined ? undefined : levelOf(query as Tree, named)
}

function levelOf(select: Tree, outer: ReadonlyMap<string, Tree>): Level {
  const named = new Map(outer)
  const { ctes = [] } = (select['withClause'] ?? {}) as {
    ctes?: { CommonTableExpr: { ctename: string; ctequery: Tree } }[]
  }
  for (const { CommonTableExpr: one } of ctes)
    named.set(one.ctename, (one.ctequery['SelectStmt'] ?? {}) as Tree)
  return { select, named }
}

/** Whether a condition of the where clause leaves out rows in which the source has none. */
function isRequired(condition: unknown, alias: string): boolean {
  const { BoolExpr, NullTest, A_Expr } = (condition ?? {}) as Record<string, Tree | undefined>
  if (BoolExpr)
    return (
      BoolExpr['boolop'] === 'AND_EXPR' &&
      (BoolExpr['args'] as unknown[]).some((one) => isRequired(one, alias))
    )
  const isOf = (side: unknown) => fieldsOf(side).length === 2 && fieldsOf(side)[0] === alias
  if (NullTest) return NullTest['nulltesttype'] === 'IS_NOT_NULL' && isOf(NullTest['arg'])
  return A_Expr?.['kind'] === 'AEXPR_OP' && (isOf(A_Expr['lexpr']) || isOf(A_Expr['rexpr']))
}

const targetsOf = (select: Tree) =>
  ((select['targetList'] ?? []) as { ResTarget: { name?: string; val: unknown } }[]).map(
    ({ ResTarget }) => ResTarget,
  )

/** None for the columns of a union, which has no list of its own. */
const fieldsOf = (expression: unknown): string[] =>
  (
    (expression as { ColumnRef?: { fields: { String?: { sval: string } }[] } } | undefined)?.ColumnRef
      ?.fields ?? []
  ).map(({ String: name }) => name?.sval ?? '*')
