import type { ReactNode } from 'react'
import { Button } from '../../ui/button.tsx'
import { Empty } from '../../ui/states.tsx'
import { Ago } from '../../ui/time.tsx'
import { rich } from '../../words/rich.tsx'
import { t } from '../../words/words.ts'
import './deleted.css'
import { type DeletedThing, deleterName, parentsSentence, useWaysToRestore } from './restore.ts'

const titles: Record<DeletedThing['kind'], string> = {
  board: t('This board was deleted'),
  group: t('This group was deleted'),
  card: t('This card was deleted'),
}

/** Shown instead of a deleted board or card: who deleted it, when, and how to restore it. */
export function Deleted({ thing, back }: { thing: DeletedThing; back?: ReactNode }) {
  const ways = useWaysToRestore(thing)
  const refusals = new Set(ways.map(({ refusal }) => refusal))
  return (
    <div role="status">
      <Empty
        title={titles[thing.kind]}
        action={
          <div className="deleted-actions">
            {ways.map(({ label, refusal, isBusy, restore }, index) => (
              <Button
                key={label}
                look={index === 0 ? 'primary' : 'secondary'}
                refusal={refusal}
                isBusy={isBusy}
                onClick={restore}
              >
                {label}
              </Button>
            ))}
            {back}
          </div>
        }
      >
        {rich('Deleted by {name} · {ago}', {
          name: <span dir="auto">{deleterName(thing)}</span>,
          ago: <Ago at={thing.deleted_at} />,
        })}
        {[parentsSentence(thing), ...refusals].map(
          (sentence) =>
            sentence !== undefined && (
              <span key={sentence} className="deleted-more">
                {sentence}
              </span>
            ),
        )}
      </Empty>
    </div>
  )
}
