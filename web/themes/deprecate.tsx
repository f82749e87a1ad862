import { type FormEvent, useState } from 'react'
import { themes } from '../data/client.ts'
import { usePages } from '../data/read.ts'
import { Reading } from '../data/reading.tsx'
import { useWrite } from '../data/write.ts'
import { Button } from '../ui/button.tsx'
import { Dialog, DialogActions } from '../ui/dialog.tsx'
import { Field } from '../ui/field.tsx'
import { ShowMore } from '../ui/show-more.tsx'
import { SkeletonRows } from '../ui/states.tsx'
import { dayInText, fullTime } from '../ui/time.tsx'
import { showToast } from '../ui/toast.tsx'
import type { ThemeVersion } from './types.ts'

interface Props {
  version: ThemeVersion
  name: string
  onClose(): void
}

/** Shows which projects are affected; if there are any, the name of the version has to be typed. */
export function Deprecate({ version: { version_id }, name, onClose }: Props) {
  const usage = usePages(`${themes}/versions/usage`, { version_id }, { refetchOnMount: 'always' })
  const [typed, setTyped] = useState('')
  const restoring = useWrite(`${themes}/versions/restore`, { failed: 'The version was not restored' })
  const deprecating = useWrite(`${themes}/versions/deprecate`, { failed: 'The version was not deprecated' })
  // The count from an earlier opening may be outdated.
  const count = usage.isRefetching ? undefined : usage.data?.pages[0]?.projects_count
  const isConfirmed = count === 0 || typed.trim() === name
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (count === undefined || !isConfirmed || deprecating.isPending) return
    deprecating.mutate(
      { version_id },
      {
        onSuccess() {
          showToast(`Deprecated ${name}`, () => restoring.mutate({ version_id }))
          onClose()
        },
      },
    )
  }
  return (
    <Dialog title={`Deprecate ${name}`} onClose={onClose}>
      <Reading
        query={{ ...usage, data: count }}
        failed="The projects that use it could not be loaded"
        skeleton={<SkeletonRows rows={3} />}
      >
        {(users) => (
          <form onSubmit={submit}>
            <Affected count={users} usage={usage} />
            {users > 0 && (
              <Field
                label={`Type “${name}” to confirm`}
                autoFocus
                autoComplete="off"
                value={typed}
                onChange={(event) => setTyped(event.target.value)}
              />
            )}
            <DialogActions>
              <Button onClick={onClose}>Cancel</Button>
              <Button
                type="submit"
                look="danger"
                refusal={isConfirmed ? undefined : `Type “${name}” first.`}
                isBusy={deprecating.isPending}
              >
                {users === 0 ? 'Deprecate' : `Deprecate for ${projects(users)}`}
              </Button>
            </DialogActions>
          </form>
        )}
      </Reading>
    </Dialog>
  )
}

const projects = (count: number) => `${count} ${count === 1 ? 'project' : 'projects'}`

type Usage = ReturnType<typeof usePages<`${typeof themes}/versions/usage`>>

function Affected({ count, usage }: { count: number; usage: Usage }) {
  if (count === 0)
    return (
      <p className="theme-affected">
        <strong>No project uses this version.</strong> It can't be newly selected until you restore it.
      </p>
    )
  return (
    <>
      <p className="theme-affected">
        <strong>
          {projects(count)} {count === 1 ? 'uses' : 'use'} this version.
        </strong>{' '}
        {count === 1 ? 'It keeps' : 'They keep'} it and {count === 1 ? 'sees' : 'see'} that it is deprecated.
        It can't be newly selected until you restore it.
      </p>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a list that scrolls must be reachable by keyboard. */}
      <ul className="theme-projects slim-scroll" aria-label="Projects that use it" tabIndex={0}>
        {usage.data?.pages
          .flatMap((page) => page.projects)
          .map((one) => (
            <li key={one.project_id}>
              <span className="truncate" dir="auto">
                {one.project_name}
              </span>
              <span className="theme-from">
                since{' '}
                <time dateTime={one.chosen_at} data-tip={fullTime(one.chosen_at)}>
                  {dayInText(one.chosen_at)}
                </time>
              </span>
            </li>
          ))}
        {usage.hasNextPage && (
          <li>
            <ShowMore query={usage} />
          </li>
        )}
      </ul>
    </>
  )
}
