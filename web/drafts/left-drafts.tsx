import { Copy } from 'lucide-react'
import { useRef, useState } from 'react'
import { useProject } from '../data/project.tsx'
import { Button } from '../ui/button.tsx'
import { loadable } from '../ui/loadable.tsx'
import { formatOf, PlainText } from '../ui/plain-text.tsx'
import { showProblem, showToast } from '../ui/toast.tsx'
import { rich } from '../words/rich.tsx'
import { t } from '../words/words.ts'
import { draftsWithin, type LeftDraft } from './left.ts'
import './left-drafts.css'

/** Few people see formatted drafts of deleted things, and cleaning them takes as much code as a page. */
const Html = loadable(async () => ({ default: (await import('../ui/html.tsx')).Html }))

/** The person's drafts on a deleted thing, to read and copy. */
export function LeftDrafts({ of }: { of: string }) {
  const { me } = useProject()
  const [drafts] = useState(() => draftsWithin(me.user.id, of))
  return <LeftDraftList drafts={drafts} />
}

export function LeftDraftList({ drafts }: { drafts: readonly LeftDraft[] }) {
  if (drafts.length === 0) return null
  return (
    <section className="left-drafts" aria-label={t('Your unsaved drafts')}>
      <h2>{t('Your unsaved drafts')}</h2>
      {drafts.map((draft) => (
        <LeftDraftItem key={draft.key} draft={draft} />
      ))}
    </section>
  )
}

function LeftDraftItem({ draft: { place, text } }: { draft: LeftDraft }) {
  const body = useRef<HTMLDivElement>(null)
  const field = fieldOf(place)
  const name = names[field] ?? field
  const isHtml = field === 'description' && formatOf(text) === 'html'
  const copy = async () => {
    const plain = new Blob([isHtml ? (body.current?.innerText ?? '') : text], { type: 'text/plain' })
    const html = isHtml && { 'text/html': new Blob([text], { type: 'text/html' }) }
    try {
      await navigator.clipboard.write([new ClipboardItem({ 'text/plain': plain, ...html })])
      showToast(t('Draft copied'))
    } catch {
      showProblem(t('The draft was not copied'), {
        detail: t('The browser did not allow copying. Select the text and copy it yourself.'),
      })
    }
  }
  return (
    <article className="left-draft" aria-label={t('Draft: {name}', { name })}>
      <header>
        <h3>{name}</h3>
        <Button icon={<Copy />} onClick={() => void copy()}>
          {rich('Copy<hidden> draft: {name}</hidden>', {
            name,
            hidden: (inside) => <span className="visually-hidden">{inside}</span>,
          })}
        </Button>
      </header>
      <div ref={body}>{isHtml ? <Html html={text} /> : <PlainText text={text} />}</div>
    </article>
  )
}

/** The beginning of a draft's name: `comment` of `comment on card 5`. */
const fieldOf = (place: string) =>
  place.replace(/ (?:of|on|in|to) (?:template )?(?:card|group|comment|board|template|tag) \d.*$/, '')

const names: Readonly<Record<string, string>> = {
  title: t('Title'),
  name: t('Name'),
  description: t('Description'),
  'short description': t('Short description'),
  short_description: t('Short description'),
  comment: t('Comment'),
  reply: t('Reply'),
  change: t('Edited comment'),
  'new card': t('New card'),
  'new group': t('New group'),
  'pasted lines': t('Pasted lines'),
  unique_identifier: t('Unique identifier'),
  evaluation_check: t('Evaluation check'),
  tour_key: t('Tour key'),
}
