import { rich } from '../words/rich.tsx'
import { Hint } from './entrance.tsx'
import type { MailWay } from './mail-way.ts'

/** A demo on this machine sends no mail; people find what it would send in its outbox. */
export const OutboxHint = ({ way }: { way: MailWay | undefined }) =>
  way === 'outbox' && (
    <Hint>
      {rich('This demo sends no email. Read it in the <a>outbox</a>.', {
        a: (text) => <a href="/outbox">{text}</a>,
      })}
    </Hint>
  )
