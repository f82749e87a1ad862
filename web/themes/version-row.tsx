import { Archive, ArchiveRestore, Ellipsis, Globe, MonitorCheck, Send } from 'lucide-react'
import { useState } from 'react'
import { themes } from '../data/client.ts'
import { operatorBase, useProject } from '../data/project.tsx'
import { useWrite } from '../data/write.ts'
import { isSuperadminHere, useRefusal } from '../identity/permissions.ts'
import { Button, ButtonLink, IconButton } from '../ui/button.tsx'
import { Menu, type MenuEntry } from '../ui/menu.tsx'
import { showToast } from '../ui/toast.tsx'
import { viewOnly } from '../ui/view-only.ts'
import { rich } from '../words/rich.tsx'
import { t } from '../words/words.ts'
import { useChoose } from './choose.ts'
import { untilInText } from './deadline.ts'
import { Deprecate } from './deprecate.tsx'
import { StageBadge, stageOf, Timeline } from './state.tsx'
import type { ThemeVersion } from './types.ts'

interface Props {
  version: ThemeVersion
  isUsedHere: boolean
}

export function VersionRow({ version, isUsedHere }: Props) {
  const [isDeprecating, setDeprecating] = useState(false)
  const stage = stageOf(version)
  const name = `${version.theme_name} ${version.version}`
  return (
    <li className="theme-version">
      <div className="theme-version-name">
        <h3 className="truncate" dir="auto">
          <span className="visually-hidden">{version.theme_name} </span>
          {version.version}
        </h3>
        <StageBadge stage={stage} />
        {isUsedHere && <span className="theme-used">{t('in use here')}</span>}
      </div>
      <Timeline version={version} name={name} />
      <div className="theme-version-actions">
        <NextStep version={version} name={name} />
        <More version={version} isUsedHere={isUsedHere} onDeprecate={() => setDeprecating(true)} />
      </div>
      {version.deprecation && (
        <p className="theme-reason">
          {rich('<b>Why it was deprecated:</b> {reason}', {
            b: (text) => <strong>{text}</strong>,
            reason: <span dir="auto">{version.deprecation.reason}</span>,
          })}{' '}
          {untilInText(version.deprecation)}
        </p>
      )}
      {version.rejection_reason !== null && (
        <p className="theme-reason">
          {rich('<b>Why it was rejected:</b> {reason}', {
            b: (text) => <strong>{text}</strong>,
            reason: <span dir="auto">{version.rejection_reason}</span>,
          })}
        </p>
      )}
      {isDeprecating && <Deprecate version={version} name={name} onClose={() => setDeprecating(false)} />}
    </li>
  )
}

/** The next step of a version. */
function NextStep({ version: { version_id, ...version }, name }: { version: ThemeVersion; name: string }) {
  const { me } = useProject()
  const refusal = useRefusal('manage themes')
  const submitting = useWrite(`${themes}/versions/submit`, { failed: t('The version was not submitted') })
  const publishing = useWrite(`${themes}/versions/publish`, { failed: t('The version was not published') })
  const restoring = useWrite(`${themes}/versions/restore`, { failed: t('The version was not restored') })
  const steps = {
    draft: {
      words: t('Submit for review'),
      icon: <Send />,
      write: submitting,
      done: t('Submitted {name}', { name }),
    },
    rejected: {
      words: t('Submit again'),
      icon: <Send />,
      write: submitting,
      done: t('Submitted {name}', { name }),
    },
    approved: {
      words: t('Publish'),
      icon: <Globe />,
      write: publishing,
      done: t('Published {name}', { name }),
    },
    deprecated: {
      words: t('Restore'),
      icon: <ArchiveRestore />,
      write: restoring,
      done: t('Restored {name}', { name }),
    },
    pending: undefined,
    published: undefined,
  }
  const stage = stageOf(version)
  const step = steps[stage]
  if (stage === 'pending' && isSuperadminHere(me))
    return (
      <ButtonLink href={`${operatorBase}/themes`}>
        {t('Review')}
        <span className="visually-hidden"> {name}</span>
      </ButtonLink>
    )
  if (!step) return null
  const { words, icon, write, done } = step
  return (
    <Button
      icon={icon}
      refusal={refusal}
      isBusy={write.isPending}
      onClick={() => write.mutate({ version_id }, { onSuccess: () => showToast(done) })}
    >
      {words}
      <span className="visually-hidden"> {name}</span>
    </Button>
  )
}

function More({ version, isUsedHere, onDeprecate }: Props & { onDeprecate(): void }) {
  const refusal = useRefusal('manage themes')
  const choose = useChoose()
  const { theme_status: status, approval_status: approval, theme_name, version: number } = version
  if (approval !== 'approved' || status === 'deprecated' || refusal === viewOnly) return null
  const label = t('Actions for {name}', { name: `${theme_name} ${number}` })
  const entries = (): MenuEntry[] => [
    {
      label: t('Use in this project'),
      icon: <MonitorCheck />,
      refusal:
        refusal ??
        (status === 'draft'
          ? t('Only a published version can be used.')
          : isUsedHere
            ? t('This project uses it already.')
            : undefined),
      onSelect: () => choose.use(version),
    },
    { label: t('Deprecate…'), icon: <Archive />, isDanger: true, refusal, onSelect: onDeprecate },
  ]
  return (
    <Menu
      label={label}
      entries={entries}
      trigger={(props) => <IconButton {...props} label={label} icon={<Ellipsis />} />}
    />
  )
}
