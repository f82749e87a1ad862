// Restores deleted boards, groups and cards, for the trash and for the address of a deleted one.
import { area, type Output } from '../../data/client.ts'
import { useLostConnection, useProject } from '../../data/project.tsx'
import { useWrite } from '../../data/write.ts'
import { useRefusal } from '../../identity/permissions.ts'
import { showToast } from '../../ui/toast.tsx'

export type DeletedThing = Output<`${typeof area}/trash/get`>['thing']
type Restorable = Omit<DeletedThing, 'deleted_with'> & Partial<Pick<DeletedThing, 'deleted_with'>>

interface Named {
  kind: Restorable['kind']
  id: number
}

interface Way {
  label: string
  refusal: string | undefined
  isBusy: boolean
  restore(): void
}

/** The ways to restore it, the usual one first: with its group and board if they are deleted too. */
export function useWaysToRestore(thing: Restorable): Way[] {
  const { alone, withParents } = useRestoreRefusals(thing)
  const { restore, isBusy } = useRestoring(thing)
  const parent = thing.is_board_deleted ? 'board' : thing.is_group_deleted ? 'group' : undefined
  const by = (label: string, refusal: string | undefined, asksParents: boolean): Way => ({
    label,
    refusal,
    isBusy,
    restore: () => restore(asksParents),
  })
  if (parent === undefined) return [by('Restore', alone, false)]
  return [
    by(`Restore with its ${parent}`, withParents, true),
    ...(thing.returns_to_group === null ? [] : [by('Restore alone', alone, false)]),
  ]
}

function useRestoreRefusals({ kind, created_by }: Restorable) {
  const { me } = useProject()
  const lost = useLostConnection()
  const work = useRefusal('work')
  const any = useRefusal('delete any card')
  const manage = useRefusal('manage')
  const isOwn = created_by === me.user.id
  /** Says who could restore it if the person's role is too low. */
  const sentence = (refusal: string | undefined, whoCan: string) =>
    refusal === undefined || refusal === lost ? refusal : whoCan
  return {
    alone:
      kind === 'card'
        ? sentence(
            work ?? (isOwn ? undefined : any),
            'Only its creator, admins and owners can restore this card.',
          )
        : sentence(manage, `Only admins and owners can restore a ${kind}.`),
    withParents: sentence(manage, 'Only admins and owners can restore a group or board.'),
  }
}

function useRestoring(thing: Restorable) {
  const deleteAgain = useDeletingAgain()
  const done = (_input: unknown, output: object) => {
    const parents = 'restored_parents' in output ? (output.restored_parents as Named[]) : []
    // A card that was deleted with its group or board is deleted with it again.
    const own = thing.deleted_with ? [] : [{ kind: thing.kind, id: thing.thing_id }]
    showToast(`Restored “${thing.title}”`, () => void deleteAgain([...own, ...parents.toReversed()]))
  }
  const writes = {
    card: useWrite(`${area}/cards/restore`, { failed: 'The card was not restored', done }),
    group: useWrite(`${area}/groups/restore`, { failed: 'The group was not restored', done }),
    board: useWrite(`${area}/boards/restore`, { failed: 'The board was not restored', done }),
  }
  const { mutate, isPending } = writes[thing.kind]
  return {
    isBusy: isPending,
    restore: (asksParents: boolean) =>
      mutate({ id: thing.thing_id, ...(asksParents && { with_parents: true }) }),
  }
}

/** From the inside out, so that each is its own entry in the trash again. */
function useDeletingAgain() {
  const deletions = {
    card: useWrite(`${area}/cards/delete`, { failed: 'The card was not deleted' }).mutateAsync,
    group: useWrite(`${area}/groups/delete`, { failed: 'The group was not deleted' }).mutateAsync,
    board: useWrite(`${area}/boards/delete`, { failed: 'The board was not deleted' }).mutateAsync,
  }
  return async (things: readonly Named[]) => {
    try {
      for (const { kind, id } of things) await deletions[kind]({ id })
    } catch {
      // The failure is already shown.
    }
  }
}

/** A sentence about its deleted parents; undefined if none is deleted. */
export function parentsSentence(thing: Restorable): string | undefined {
  const { is_group_deleted: isGroup, is_board_deleted: isBoard, returns_to_group: group } = thing
  if (!isGroup && !isBoard) return undefined
  const deleted = thing.deleted_with
    ? `It was deleted with its ${thing.deleted_with}.`
    : isGroup && isBoard
      ? 'Its group and its board were deleted too.'
      : `Its ${isBoard ? 'board' : 'group'} was deleted too.`
  return group === null ? deleted : `${deleted} Restored alone, it returns to ${group}.`
}
