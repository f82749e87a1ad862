// Finds the failing fields among the listed groups of groups/reorder, for projects and templates.
import type { Fail } from '#contract/failure.ts'
import { notFound } from './failures.ts'

/** Declared by operations that take a list of groups. */
export const badGroups = {
  'groups.*.id': { ...notFound, repeated: 'The :attribute field has a duplicate value.' },
} as const

/** Fails with 422 on the id of every group that does not exist. */
export function refuseGroups<Group>(
  groups: readonly Group[],
  isMissing: (group: Group) => boolean,
  fail: Fail<{ 422: { 'groups.*.id': typeof notFound } }>,
): void {
  const wrong = fieldsWhere(groups, isMissing)
  if (wrong.length > 0) throw fail(422, Object.fromEntries(wrong.map((field) => [field, 'not_found'])))
}

const fieldsWhere = <Group>(groups: readonly Group[], isWrong: (group: Group) => boolean) =>
  groups.flatMap((group, index) => (isWrong(group) ? [`groups.${index}.id` as const] : []))

export function refuseDuplicates(
  groups: readonly { id: number }[],
  fail: Fail<{ 422: typeof badGroups }>,
): void {
  const byId = Map.groupBy(groups, ({ id }) => id)
  const isRepeated = ({ id }: { id: number }) => (byId.get(id)?.length ?? 0) > 1
  const wrong = fieldsWhere(groups, isRepeated)
  if (wrong.length > 0) throw fail(422, Object.fromEntries(wrong.map((field) => [field, 'repeated'])))
}
