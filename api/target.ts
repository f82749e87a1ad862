// Says what access was refused to, for the audit log (answers.ts).
import type { Description } from '#contract/operation.ts'
import type { Caller } from '#identity/caller.ts'

/** Refusals name what is known besides the request: which of several things it was, and its project. */
export interface Target {
  kind: string
  id: number | null
  /** Null if the caller does not belong to it: they, and the owner of their own project, shall not learn where things of others are. */
  projectId: number | null
}

/** What a request names. Its fields are not checked yet and may hold anything. */
export function targetOf(
  { path, on }: Pick<Description, 'path' | 'on'>,
  asked: Readonly<Record<string, unknown>>,
  caller: Pick<Caller, 'projectId' | 'requestedProject'>,
): Pick<Target, 'kind' | 'id'> | undefined {
  if (on === undefined) {
    const id = idIn(asked['id'])
    // The folder of an operation has the name of its things: users/demote.
    return id === null ? undefined : { kind: String(path.split('/').at(-2)).replace(/s$/, ''), id }
  }
  if (on === 'platform') return { kind: 'platform', id: idIn(asked['platform_id']) }
  const named = typeof on === 'string' ? undefined : namedIn(on, asked)
  return named ?? { kind: 'project', id: caller.projectId ?? idIn(Number(caller.requestedProject)) }
}

/** The first thing, if a list names several. */
function namedIn(on: Readonly<Record<string, string | undefined>>, asked: Readonly<Record<string, unknown>>) {
  const { or, ...things } = on
  const [thing, field] = Object.entries(things)[0] as [string, string]
  const [name, inside] = field.split('.') as [string, string | undefined]
  const given = asked[name]
  const first = Array.isArray(given) ? given[0] : given
  const id = idIn(inside === undefined ? first : (first as Record<string, unknown> | null)?.[inside])
  if (id === null && or !== undefined) return undefined
  if (thing === 'deleted thing')
    return { kind: deletedKinds.find((kind) => kind === asked['kind']) ?? 'thing', id }
  return { kind: thing.replace(/^deleted /, ''), id }
}

const deletedKinds = ['board', 'group', 'card']

const idIn = (value: unknown): number | null => (Number.isSafeInteger(value) ? (value as number) : null)
