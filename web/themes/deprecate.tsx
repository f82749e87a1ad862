import { useState } from 'react'
import { themes } from '../data/client.ts'
import { fieldErrors } from '../data/failure.ts'
import { usePages } from '../data/read.ts'
import { Reading } from '../data/reading.tsx'
import { useWrite } from '../data/write.ts'
import { Button } from '../ui/button.tsx'
import { Dialog, DialogActions } from '../ui/dialog.tsx'
import { Field } from '../ui/field.tsx'
import { Form } from '../ui/form.tsx'
import { ShowMore } from '../ui/show-more.tsx'
import { SkeletonRows } from '../ui/states.tsx'
import { dayInText, fullTime } from '../ui/time.tsx'
import { showToast } from '../ui/toast.tsx'
import { rich } from '../words/rich.tsx'
import { counted, t } from '../words/words.ts'
import {
  areCampaignFields,
  CampaignFields,
  type CampaignWords,
  campaignInput,
  dayIn,
} from './campaign-fields.tsx'
import type { ThemeVersion } from './types.ts'

interface Props {
  version: ThemeVersion
  name: string
  onClose(): void
}

/**
 * Shows how many projects are affected; if there are any, they are told why and until when, and the name of the version has to be
 * typed.
 */
export function Deprecate({ version: { version_id, theme_id }, name, onClose }: Props) {
  const usage = usePages(`${themes}/versions/usage`, { version_id }, { refetchOnMount: 'always' })
  const offered = usePages(`${themes}/versions/browse`, { limit: 200 })
  const others = (offered.data?.pages.flatMap((page) => page.versions) ?? []).filter(
    (one) => one.version_id !== version_id,
  )
  const newer = others.find((one) => one.theme_id === theme_id)
  const [typed, setTyped] = useState('')
  const [chosen, setWords] = useState<Partial<CampaignWords>>({})
  const words = {
    ...{ reason: '', replacement: newer === undefined ? '' : String(newer.version_id), deadline: dayIn(30) },
    ...chosen,
  }
  const restoring = useWrite(`${themes}/versions/restore`, { failed: t('The version was not restored') })
  const failed = t('The version was not deprecated')
  const deprecating = useWrite(`${themes}/versions/deprecate`, { failed })
  const starting = useWrite(`${themes}/campaigns/create`, { failed, handles: areCampaignFields })
  const isBusy = deprecating.isPending || starting.isPending
  // The count from an earlier opening may be outdated.
  const count = usage.isRefetching ? undefined : usage.data?.pages[0]?.projects_count
  const isConfirmed = count === 0 || typed.trim() === name
  const submit = () => {
    if (count === undefined || !isConfirmed) return
    const done = {
      onSuccess() {
        showToast(t('Deprecated {name}', { name }), () => restoring.mutate({ version_id }))
        onClose()
      },
    }
    if (count === 0) deprecating.mutate({ version_id }, done)
    else starting.mutate({ version_id, ...campaignInput(words) }, done)
  }
  return (
    <Dialog title={t('Deprecate {name}', { name })} onClose={onClose}>
      <Reading
        query={{ ...usage, data: count }}
        failed={t('The projects that use it could not be loaded')}
        skeleton={<SkeletonRows rows={3} />}
      >
        {(users) => (
          <Form isBusy={isBusy} onSubmit={submit}>
            <Affected count={users} usage={usage} />
            {users > 0 && (
              <>
                <CampaignFields
                  words={words}
                  others={others}
                  errors={fieldErrors(starting.error)}
                  onChange={(values) => setWords((last) => ({ ...last, ...values }))}
                />
                <Field
                  label={t('Type “{text}” to confirm', { text: name })}
                  autoComplete="off"
                  value={typed}
                  onChange={(event) => setTyped(event.target.value)}
                />
              </>
            )}
            <DialogActions>
              <Button
                type="submit"
                look="danger"
                refusal={isConfirmed ? undefined : t('Type “{text}” first.', { text: name })}
                isBusy={isBusy}
              >
                {users === 0
                  ? t('Deprecate')
                  : counted(users, {
                      one: 'Deprecate for {count} project',
                      other: 'Deprecate for {count} projects',
                    })}
              </Button>
              <Button onClick={onClose}>{t('Cancel')}</Button>
            </DialogActions>
          </Form>
        )}
      </Reading>
    </Dialog>
  )
}

type Usage = ReturnType<typeof usePages<`${typeof themes}/versions/usage`>>

function Affected({ count, usage }: { count: number; usage: Usage }) {
  if (count === 0)
    return (
      <p className="theme-affected">
        {rich("<b>No project uses this version.</b> It can't be newly selected until you restore it.", {
          b: (text) => <strong>{text}</strong>,
        })}
      </p>
    )
  return (
    <>
      <p className="theme-affected">
        <strong>
          {counted(count, {
            one: '{count} project uses this version.',
            other: '{count} projects use this version.',
          })}
        </strong>{' '}
        {counted(count, {
          one: "It keeps it, and gets a card that closes by itself when it switches. It can't be newly selected until you restore it.",
          other:
            "They keep it, and each gets a card that closes by itself when it switches. It can't be newly selected until you restore it.",
        })}
      </p>
      <Users usage={usage} />
    </>
  )
}

/** The projects by name, which only superadmins are told. */
function Users({ usage }: { usage: Usage }) {
  const projects = usage.data?.pages.flatMap((page) => page.projects) ?? []
  if (projects.length === 0) return null
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a list that scrolls must be reachable by keyboard.
    <ul className="theme-projects slim-scroll" aria-label={t('Projects that use it')} tabIndex={0}>
      {projects.map((one) => (
        <li key={one.project_id}>
          <span className="truncate" dir="auto">
            {one.project_name}
          </span>
          <span className="theme-from">
            {rich('since {day}', {
              day: (
                <time dateTime={one.chosen_at} data-tip={fullTime(one.chosen_at)}>
                  {dayInText(one.chosen_at)}
                </time>
              ),
            })}
          </span>
        </li>
      ))}
      {usage.hasNextPage && (
        <li>
          <ShowMore query={usage} />
        </li>
      )}
    </ul>
  )
}
