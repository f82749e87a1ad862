// Finds the failing entries of lists whose entries are the things that an operation acts on, such as groups/reorder and cards/update-many.
import type { Failure } from '#contract/failure.ts'
import { notFound } from './failures.ts'

const badEntry = { ...notFound, repeated: 'The :attribute field has a duplicate value.' } as const

export const badGroups = { 'groups.*.id': badEntry } as const
export const badCards = { 'cards.*.id': badEntry } as const
export const badIds = { 'ids.*': badEntry } as const

/** What operations on such lists can answer, by the field that `on` names. */
export const badLists = { 'groups.id': badGroups, 'cards.id': badCards, ids: badIds } as const

export type ListField = keyof typeof badLists

export const isListField = (field: string): field is ListField => field in badLists

/** The ids of the list. */
export const idsIn = (field: ListField, input: Readonly<Record<string, unknown>>): number[] =>
  field === 'ids'
    ? (input['ids'] as number[])
    : (input[field.slice(0, -3)] as { id: number }[]).map(({ id }) => id)

type FailOn<Code> = (status: 422, fields: Record<string, Code>) => Failure

/** Fails with 422 on every entry whose id is wrong: `groups.0.id`, or `ids.0`. */
function refuseWhere<Code>(
  field: ListField,
  ids: readonly number[],
  { isWrong, code, fail }: { isWrong(id: number): boolean; code: Code; fail: FailOn<Code> },
): void {
  const nameOf = (index: number) => (field === 'ids' ? `ids.${index}` : field.replace('.', `.${index}.`))
  const wrong = ids.flatMap((id, index) => (isWrong(id) ? [[nameOf(index), code] as const] : []))
  if (wrong.length > 0) throw fail(422, Object.fromEntries(wrong))
}

export function refuseRepeated(field: ListField, ids: readonly number[], fail: FailOn<'repeated'>): void {
  const seen = Map.groupBy(ids, (id) => id)
  refuseWhere(field, ids, { isWrong: (id) => (seen.get(id)?.length ?? 0) > 1, code: 'repeated', fail })
}

/** For ids that name nothing. */
export const refuseMissing = (
  field: ListField,
  ids: readonly number[],
  isWrong: (id: number) => boolean,
  fail: FailOn<'not_found'>,
): void => refuseWhere(field, ids, { isWrong, code: 'not_found', fail })
