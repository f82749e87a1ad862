import { Copy } from 'lucide-react'
import { useRef } from 'react'
import { Button } from '../ui/button.tsx'
import { formatOf, Html, PlainText } from '../ui/html.tsx'
import { showToast } from '../ui/toast.tsx'
import { type LeftDraft, useDraftsWithin } from './drafts.ts'
import './left-drafts.css'

/** The person's drafts on a deleted thing, to read and copy. */
export function LeftDrafts({ of }: { of: string }) {
  const drafts = useDraftsWithin(of)
  if (drafts.length === 0) return null
  return (
    <section className="left-drafts" aria-label="Your unsaved drafts">
      <h2>Your unsaved drafts</h2>
      {drafts.map((draft) => (
        <LeftDraftItem key={draft.place} draft={draft} />
      ))}
    </section>
  )
}

function LeftDraftItem({ draft: { place, text } }: { draft: LeftDraft }) {
  const body = useRef<HTMLDivElement>(null)
  const name = nameOf(place)
  const isHtml = name === 'Description' && formatOf(text) === 'html'
  const copy = async () => {
    const plain = new Blob([isHtml ? (body.current?.innerText ?? '') : text], { type: 'text/plain' })
    const html = isHtml && { 'text/html': new Blob([text], { type: 'text/html' }) }
    await navigator.clipboard.write([new ClipboardItem({ 'text/plain': plain, ...html })])
    showToast('Draft copied')
  }
  return (
    <article className="left-draft" aria-label={`Draft: ${name}`}>
      <header>
        <h3>{name}</h3>
        <Button icon={<Copy />} onClick={() => void copy()}>
          Copy<span className="visually-hidden"> draft: {name}</span>
        </Button>
      </header>
      <div ref={body}>{isHtml ? <Html html={text} /> : <PlainText text={text} />}</div>
    </article>
  )
}

/** A label from the draft's name: `comment on card 5` is "Comment". */
function nameOf(place: string): string {
  const words = place.replace(
    / (?:of|on|in|to) (?:template )?(?:card|group|comment|board|template) \d.*$/,
    '',
  )
  if (words === 'change') return 'Edited comment'
  return words.charAt(0).toUpperCase() + words.slice(1).replaceAll('_', ' ')
}
