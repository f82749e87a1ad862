// Restores deleted boards, groups, cards and tags, for the trash and for the address of a deleted one.
import { area, type Output } from '../../data/client.ts'
import { useLostConnection, useProject } from '../../data/project.tsx'
import { useWrite } from '../../data/write.ts'
import { useRefusal } from '../../identity/permissions.ts'
import { personName } from '../../ui/person-name.ts'
import { showToast } from '../../ui/toast.tsx'
import { viewOnly } from '../../ui/view-only.ts'
import { t } from '../../words/words.ts'

export type DeletedThing = Output<`${typeof area}/trash/get`>['thing']
type Kind = Output<`${typeof area}/trash/list`>['things'][number]['kind']
type Restorable = Omit<DeletedThing, 'kind' | 'deleted_with'> &
  Partial<Pick<DeletedThing, 'deleted_with'>> & { kind: Kind }

interface Named {
  kind: Kind
  id: number
}

interface Way {
  label: string
  /** True if its group or board stays deleted. */
  isAlone: boolean
  refusal: string | undefined
  isBusy: boolean
  restore(): void
}

/** The ways to restore it, the usual one first: with its group and board if they are deleted too. */
export function useWaysToRestore(thing: Restorable): Way[] {
  const { alone, withParents } = useRestoreRefusals(thing)
  const { restore, isBusy } = useRestoring(thing)
  const { is_board_deleted: isBoard, is_group_deleted: isGroup } = thing
  const way = { isAlone: false, isBusy, restore: () => restore(false) }
  if (!isBoard && !isGroup) return [{ ...way, label: t('Restore'), refusal: alone }]
  return [
    {
      ...way,
      label: isBoard ? t('Restore with its board') : t('Restore with its group'),
      refusal: withParents,
      restore: () => restore(true),
    },
    ...(thing.returns_to_group === null
      ? []
      : [{ ...way, isAlone: true, label: t('Restore alone'), refusal: alone }]),
  ]
}

function useRestoreRefusals({ kind, created_by }: Restorable) {
  const { me } = useProject()
  const lost = useLostConnection()
  const work = useRefusal('work')
  const any = useRefusal('delete any card')
  const manage = useRefusal('manage')
  const isOwn = created_by === me.user.id
  /** Says who could restore it if the person's role is too low. Viewers know that they may only look. */
  const sentence = (refusal: string | undefined, whoCan: string) =>
    refusal === undefined || refusal === lost || refusal === viewOnly ? refusal : whoCan
  const alone = {
    card: sentence(
      work ?? (isOwn ? undefined : any),
      t('Only its creator, admins and owners can restore this card.'),
    ),
    group: sentence(manage, t('Only admins and owners can restore a group.')),
    board: sentence(manage, t('Only admins and owners can restore a board.')),
    tag: sentence(work, t('Only members, admins and owners can restore a tag.')),
  }
  return {
    alone: alone[kind],
    withParents: sentence(manage, t('Only admins and owners can restore a group or board.')),
  }
}

function useRestoring(thing: Restorable) {
  const deleteAgain = useDeletingAgain()
  const done = (_input: unknown, output: object) => {
    const parents = 'restored_parents' in output ? (output.restored_parents as Named[]) : []
    // A card that was deleted with its group or board is deleted with it again.
    const own = thing.deleted_with ? [] : [{ kind: thing.kind, id: thing.thing_id }]
    showToast(restoredWith(thing.title, parents), () => void deleteAgain([...own, ...parents.toReversed()]))
  }
  const writes = {
    card: useWrite(`${area}/cards/restore`, { failed: t('The card was not restored'), done }),
    group: useWrite(`${area}/groups/restore`, { failed: t('The group was not restored'), done }),
    board: useWrite(`${area}/boards/restore`, { failed: t('The board was not restored'), done }),
    tag: useWrite(`${area}/tags/restore`, { failed: t('The tag was not restored'), done }),
  }
  const { mutate, isPending } = writes[thing.kind]
  return {
    isBusy: isPending,
    restore: (asksParents: boolean) =>
      mutate({ id: thing.thing_id, ...(asksParents && { with_parents: true }) }),
  }
}

function restoredWith(title: string, parents: readonly Named[]): string {
  if (parents.some(({ kind }) => kind === 'board')) return t('Restored “{title}” with its board', { title })
  if (parents.length > 0) return t('Restored “{title}” with its group', { title })
  return t('Restored “{title}”', { title })
}

/** From the inside out, so that each is its own entry in the trash again. */
function useDeletingAgain() {
  const deletions = {
    card: useWrite(`${area}/cards/delete`, { failed: t('The card was not deleted') }).mutateAsync,
    group: useWrite(`${area}/groups/delete`, { failed: t('The group was not deleted') }).mutateAsync,
    board: useWrite(`${area}/boards/delete`, { failed: t('The board was not deleted') }).mutateAsync,
    tag: useWrite(`${area}/tags/delete`, { failed: t('The tag was not deleted') }).mutateAsync,
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
  const deleted = thing.deleted_with ? togetherWith[thing.deleted_with] : alsoDeleted(isGroup, isBoard)
  return group === null ? deleted : `${deleted} ${t('Restored alone, it returns to {group}.', { group })}`
}

const togetherWith = {
  board: t('It was deleted with its board.'),
  group: t('It was deleted with its group.'),
}

function alsoDeleted(isGroup: boolean, isBoard: boolean): string {
  if (isGroup && isBoard) return t('Its group and its board were deleted too.')
  return isBoard ? t('Its board was deleted too.') : t('Its group was deleted too.')
}

/** Who deleted it; a rollout has no person. */
export const deleterName = ({ deleted_by_name: name }: Pick<DeletedThing, 'deleted_by_name'>): string =>
  name === null ? t('Template') : personName(name)
