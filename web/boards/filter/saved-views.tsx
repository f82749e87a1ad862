import { Bookmark, Check, Pencil, Plus, RotateCw, Save, Trash2, X } from 'lucide-react'
import { useState } from 'react'
import { useSearchParams } from 'wouter'
import { area, type Output } from '../../data/client.ts'
import { useRead } from '../../data/read.ts'
import { useWrite } from '../../data/write.ts'
import { useRefusal } from '../../identity/permissions.ts'
import { Button } from '../../ui/button.tsx'
import { useCommands } from '../../ui/commands.ts'
import { loadable } from '../../ui/loadable.tsx'
import { Menu, type MenuEntry } from '../../ui/menu.tsx'
import { showToast } from '../../ui/toast.tsx'
import { t } from '../../words/words.ts'

const SaveView = loadable(() => import('./save-view.tsx'))

export type SavedView = Output<`${typeof area}/views/list`>['views'][number]

/** The page that views are saved of. */
export interface SavedPage {
  board_id?: number
  page?: 'my_cards' | 'search'
}

/** What a view saves: everything in the address but the view itself and the shown month. */
function parametersOf(search: URLSearchParams, usualView: string): string {
  const kept = new URLSearchParams([...search].filter(([name]) => name !== 'saved' && name !== 'at'))
  return kept.size === 0 ? `view=${usualView}` : String(kept)
}

/** The same filters in another order are the same view. */
function inOrder(parameters: string): string {
  const sorted = new URLSearchParams(parameters)
  sorted.sort()
  return String(sorted)
}

/** The views of a page that the person or the project has saved, by name. */
export function SavedViews({ page, usualView }: { page: SavedPage; usualView: string }) {
  const [search, setSearch] = useSearchParams()
  const { data, error, refetch } = useRead(`${area}/views/list`)
  const [isSaving, setSaving] = useState(false)
  const [edited, setEdited] = useState<SavedView>()
  const { saveChanges, deleteView } = useViewWrites()
  const sharedRefusal = useRefusal('work')
  const ownRefusal = useRefusal('read')
  const refusalOf = ({ is_shared }: SavedView) => (is_shared ? sharedRefusal : ownRefusal)
  const views = (data?.views ?? []).filter(
    (view) => view.board_id === (page.board_id ?? null) && view.page === (page.page ?? 'board'),
  )
  const current = views.find(({ id }) => String(id) === search.get('saved'))
  const parameters = parametersOf(search, usualView)
  const isChanged = current !== undefined && inOrder(current.parameters) !== inOrder(parameters)
  const open = ({ id, parameters: saved }: SavedView) => {
    const next = new URLSearchParams(saved)
    next.set('saved', String(id))
    setSearch(next)
  }
  const entryOf = (view: SavedView) => ({
    label: view.name,
    icon: view === current ? <Check /> : <Bookmark />,
    onSelect: () => open(view),
  })
  useCommands(() =>
    views.length > 0 ? [{ section: t('Saved views'), entries: views.map(entryOf), isOfPage: true }] : [],
  )
  const listed = (section: string, isShared: boolean): MenuEntry[] => {
    const some = views.filter(({ is_shared }) => is_shared === isShared)
    if (some.length === 0) return []
    return [{ section }, ...some.map(entryOf)]
  }
  const missing = (): MenuEntry[] => {
    if (data) return []
    if (!error) return [{ section: t('Loading') }]
    return [
      { section: t('The saved views could not be loaded') },
      { label: t('Try again'), icon: <RotateCw />, onSelect: () => void refetch() },
      'line',
    ]
  }
  const entries = (): MenuEntry[] => [
    ...missing(),
    ...listed(t('Your views'), false),
    ...listed(t('Project views'), true),
    ...(views.length > 0 ? (['line'] as const) : []),
    { label: t('Save as new view…'), icon: <Plus />, refusal: ownRefusal, onSelect: () => setSaving(true) },
    ...(current
      ? [
          {
            label: t('Close view'),
            icon: <X />,
            onSelect: () => setSearch([...search].filter(([name]) => name === 'q')),
          },
          ...actionsOn(current),
        ]
      : []),
  ]
  const actionsOn = (view: SavedView): MenuEntry[] => {
    const { name } = view
    const refusal = refusalOf(view)
    return [
      ...(isChanged
        ? [
            {
              label: t('Save changes to “{name}”', { name }),
              icon: <Save />,
              refusal,
              onSelect: () => saveChanges(view, parameters),
            },
          ]
        : []),
      { label: t('Edit “{name}”…', { name }), icon: <Pencil />, refusal, onSelect: () => setEdited(view) },
      {
        label: t('Delete “{name}”', { name }),
        icon: <Trash2 />,
        isDanger: true,
        refusal,
        onSelect: () => deleteView(view, open),
      },
    ]
  }
  const name = current === undefined ? t('Views') : current.name
  return (
    <>
      <Menu
        label={t('Saved views')}
        entries={entries}
        placement="bottom-start"
        trigger={(props) => (
          <Button {...props} look="quiet" className="saved-views" icon={<Bookmark />}>
            {isChanged ? t('{name} (changed)', { name }) : name}
          </Button>
        )}
      />
      {isSaving && (
        <SaveView
          page={page}
          parameters={parameters}
          onSaved={open}
          onClose={() => setSaving(false)}
          shareRefusal={sharedRefusal}
        />
      )}
      {edited && (
        <SaveView
          view={edited}
          page={page}
          parameters={edited.parameters}
          onClose={() => setEdited(undefined)}
          shareRefusal={sharedRefusal}
        />
      )}
    </>
  )
}

const refreshes = [`${area}/views/list`] as const

function useViewWrites() {
  const { mutate: updateView } = useWrite(`${area}/views/update`, {
    failed: t('The view was not changed'),
    refreshes,
  })
  const saveChanges = ({ id, name, parameters: before }: SavedView, parameters: string) =>
    updateView(
      { id, parameters },
      {
        onSuccess: () =>
          void showToast(t('Saved “{name}”', { name }), () => updateView({ id, parameters: before })),
      },
    )
  const { mutate: createView } = useWrite(`${area}/views/create`, {
    failed: t('The view was not restored'),
    refreshes,
  })
  const { mutate } = useWrite(`${area}/views/delete`, { failed: t('The view was not deleted'), refreshes })
  /** It was open; once it is restored it is open again, under its new id. */
  const deleteView = (
    { id, name, parameters, board_id, page, is_shared }: SavedView,
    onRestored: (view: SavedView) => void,
  ) =>
    mutate(
      { id },
      {
        onSuccess() {
          const where = board_id === null ? { page: page as 'search' } : { board_id }
          showToast(t('Deleted “{title}”', { title: name }), () =>
            createView(
              { name, parameters, is_shared, ...where },
              { onSuccess: ({ view }) => onRestored(view) },
            ),
          )
        },
      },
    )
  return { saveChanges, deleteView }
}
