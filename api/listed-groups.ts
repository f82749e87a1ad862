// Finds the failing fields among the listed groups of groups/reorder, for projects and templates.
import type { Fail, FieldErrors } from '#contract/operation.ts'

/** Fails with 422 on the id of every invalid group. */
export function refuseGroups<Group>(
  groups: readonly Group[],
  isWrong: (group: Group) => boolean,
  fail: Fail<422>,
  say = (field: string) => `The selected ${field} is invalid.`,
): void {
  const errors: FieldErrors = {}
  groups.forEach((group, index) => {
    const field = `groups.${index}.id`
    if (isWrong(group)) errors[field] = [say(field)]
  })
  if (Object.keys(errors).length > 0) throw fail(422, errors)
}

export function refuseDuplicates(groups: readonly { id: number }[], fail: Fail<422>): void {
  const byId = Map.groupBy(groups, ({ id }) => id)
  const isRepeated = ({ id }: { id: number }) => (byId.get(id)?.length ?? 0) > 1
  refuseGroups(groups, isRepeated, fail, (field) => `The ${field} field has a duplicate value.`)
}
