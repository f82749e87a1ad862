import { RotateCcw } from 'lucide-react'
import { useId, useState } from 'react'
import { useLocation, useSearchParams } from 'wouter'
import { admin, type Output } from '../../data/client.ts'
import { useLostConnection } from '../../data/project.tsx'
import { usePages, useRead } from '../../data/read.ts'
import { Reading } from '../../data/reading.tsx'
import { useWrite } from '../../data/write.ts'
import { Button } from '../../ui/button.tsx'
import { Confirm } from '../../ui/confirm.tsx'
import { FieldSelect } from '../../ui/field.tsx'
import { Empty } from '../../ui/states.tsx'
import { Ago } from '../../ui/time.tsx'
import { showToast } from '../../ui/toast.tsx'
import { rich } from '../../words/rich.tsx'
import { counted, t } from '../../words/words.ts'
import type { MasterBoard } from '../types.ts'
import { Differences } from './differences.tsx'
import './version-view.css'

interface Props {
  board: MasterBoard
  /** The number of a version, or null for the draft. */
  number: number | null
  path: string
}

/** A version or the draft of a template: how it differs from another version, and what it holds. */
export default function VersionView({ board, number, path }: Props) {
  const [search, setSearch] = useSearchParams()
  const id = useId()
  const versions = usePages(`${admin}/master-boards/versions/list`, { board_id: board.id, limit: 200 })
  const others = (versions.data?.pages.flatMap((page) => page.versions) ?? []).filter(
    (version) => version.number !== number,
  )
  const usual = number === null ? board.version : number - 1
  const from = Number(search.get('from') ?? usual)
  return (
    <section className="version-view" aria-labelledby={id}>
      <h2 id={id}>{number === null ? t('Draft changes') : t('Version {version}', { version: number })}</h2>
      {number !== null && <VersionHead board={board} number={number} path={path} />}
      {others.length > 0 && (
        <FieldSelect
          label={t('Compare with')}
          value={from}
          onChange={(event) => setSearch({ from: event.target.value }, { replace: true })}
        >
          {from === 0 && <option value={0}>{t('Nothing')}</option>}
          {others.map((version) => (
            <option key={version.number} value={version.number}>
              {t('Version {version}', { version: version.number })}
              {version.number === board.version && ` (${t('newest')})`}
            </option>
          ))}
        </FieldSelect>
      )}
      {from > 0 && <Comparison board={board} from={from} to={number} />}
      {number !== null && <VersionContent board={board} number={number} isOpen={from === 0} />}
    </section>
  )
}

function Comparison({ board, from, to }: { board: MasterBoard; from: number; to: number | null }) {
  const query = useRead(`${admin}/master-boards/versions/compare`, { board_id: board.id, from, to })
  return (
    <Reading query={query} failed={t('The versions could not be compared')}>
      {({ differences }) =>
        differences.length === 0 ? (
          <Empty title={t('No differences')}>{t('Both have the same groups and cards.')}</Empty>
        ) : (
          <Differences differences={differences} />
        )
      }
    </Reading>
  )
}

function VersionHead({ board, number, path }: Props & { number: number }) {
  const query = useRead(`${admin}/master-boards/versions/get`, { board_id: board.id, number })
  const refusal = useLostConnection()
  const [, navigate] = useLocation()
  const [isAsking, setAsking] = useState(false)
  const restoring = useWrite(`${admin}/master-boards/versions/restore`, {
    failed: t('The version was not restored'),
    done: () => {
      showToast(t('Version {version} is the draft now', { version: number }))
      navigate(path)
    },
  })
  return (
    <Reading query={query} failed={t('The version could not be loaded')}>
      {({ version }) => (
        <div className="version-head">
          <p>
            {rich('Published by {name} {ago}', {
              name: <span dir="auto">{version.created_by_name ?? t('someone')}</span>,
              ago: <Ago at={version.created_at} />,
            })}
          </p>
          {version.note !== '' && (
            <p className="version-note" dir="auto">
              {version.note}
            </p>
          )}
          <Button
            icon={<RotateCcw />}
            refusal={refusal}
            isBusy={restoring.isPending}
            onClick={() => setAsking(true)}
          >
            {t('Restore this version…')}
          </Button>
          {isAsking && (
            <Confirm
              title={t('Restore version {version}', { version: number })}
              action={t('Restore as draft')}
              onClose={() => setAsking(false)}
              onConfirm={() => restoring.mutate({ board_id: board.id, number })}
            >
              <p>
                {board.has_draft_changes
                  ? t(
                      'The draft becomes what version {version} was. Your present draft changes are replaced.',
                      {
                        version: number,
                      },
                    )
                  : t('The draft becomes what version {version} was.', { version: number })}
              </p>
              <p>{t('Projects receive it once it is published and rolled out.')}</p>
            </Confirm>
          )}
        </div>
      )}
    </Reading>
  )
}

type Group = Output<`${typeof admin}/master-boards/versions/get`>['board']['groups'][number]

function VersionContent({ board, number, isOpen }: { board: MasterBoard; number: number; isOpen: boolean }) {
  const query = useRead(`${admin}/master-boards/versions/get`, { board_id: board.id, number })
  return (
    <Reading query={query} failed={t('The version could not be loaded')}>
      {({ board: { title, groups } }) => (
        <details className="version-content" open={isOpen}>
          <summary>
            {counted(
              groups.reduce((sum, group) => sum + group.cards.length, 0),
              {
                one: 'All of it: {count} card',
                other: 'All of it: {count} cards',
              },
            )}
          </summary>
          <h3 dir="auto">{title}</h3>
          {groups.map((group) => (
            <VersionGroup key={group.id} group={group} />
          ))}
        </details>
      )}
    </Reading>
  )
}

const VersionGroup = ({ group }: { group: Group }) => (
  <section>
    <h4 dir="auto">{group.title}</h4>
    <ul>
      {group.cards.map((card) => (
        <li key={card.id} dir="auto">
          {card.title}
        </li>
      ))}
    </ul>
  </section>
)
