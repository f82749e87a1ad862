import { type ClipboardEvent, type Ref, useRef, useState } from 'react'
import { DraftNote } from '../../drafts/draft-note.tsx'
import type { Draft } from '../../drafts/drafts.ts'
import { OtherDraft } from '../../drafts/other-draft.tsx'
import { Button } from '../../ui/button.tsx'
import { mentionedIn } from '../../ui/mentions.ts'
import { type Person, usePeopleList } from '../../ui/people-list.tsx'
import { viewOnly } from '../../ui/view-only.ts'
import { t } from '../../words/words.ts'
import type { Comment } from '../types.ts'

interface ComposerProps {
  field?: Ref<HTMLTextAreaElement>
  draft: Draft
  label: string
  action: string
  text?: string
  /** The mentions that `text` has. */
  mentions?: Comment['mentions']
  /** Who can be mentioned. */
  members: readonly Person[]
  isOpen?: boolean
  refusal: string | undefined
  /** Rejects if the service refuses; the text then stays here. */
  onSend(text: string, mentions: number[]): Promise<unknown>
  onCancel?: () => void
}

/** A field for a comment, sent with Ctrl+Enter. The text is kept until it is sent or discarded. */
export function Composer({
  field,
  draft,
  label,
  action,
  text = '',
  mentions = [],
  members,
  isOpen = false,
  refusal,
  onSend,
  onCancel,
}: ComposerProps) {
  const value = draft.text ?? text
  // People can keep typing while offline.
  const isClosed = refusal !== undefined && draft.text === undefined
  const [isSending, setSending] = useState(false)
  const chosen = useRef(new Map<string, number>())
  const area = useRef<HTMLTextAreaElement>(undefined)
  const people = usePeopleList({
    people: members,
    insert(inserted, length) {
      const end = area.current?.selectionStart ?? 0
      area.current?.setSelectionRange(end - length, end)
      // The only way to write into a field that the browser can undo.
      document.execCommand('insertText', false, inserted)
    },
    onMention: ({ id, name }) => chosen.current.set(name, id),
  })
  const cancel =
    onCancel &&
    (() => {
      draft.discard()
      onCancel()
    })
  const send = async () => {
    const trimmed = value.trim()
    if (trimmed === '' || refusal !== undefined || isSending) return
    setSending(true)
    const mentioned = mentionedIn(trimmed, { members, chosen: chosen.current, before: mentions })
    await onSend(trimmed, mentioned).then(
      () => draft.clear(value),
      () => {},
    )
    setSending(false)
  }
  if (refusal === viewOnly && draft.text === undefined) return null
  return (
    <form
      className="composer"
      onSubmit={(event) => {
        event.preventDefault()
        void send()
      }}
    >
      <textarea
        {...people.textProps}
        ref={field}
        className="input"
        // biome-ignore lint/a11y/noAutofocus: only where the person has just asked to write here.
        autoFocus={isOpen && draft.takesFocus}
        rows={1}
        dir="auto"
        aria-label={label}
        placeholder={isClosed ? refusal : label}
        aria-disabled={isClosed || undefined}
        aria-description={isClosed ? refusal : undefined}
        readOnly={isSending || isClosed}
        value={value}
        onChange={({ target }) => {
          if (target.value === text) draft.clear()
          else draft.write(target.value)
          area.current = target
          people.look(target.value.slice(0, target.selectionStart))
        }}
        onBlur={people.close}
        onPaste={linkSelected}
        onKeyDown={(event) => {
          people.onKeyDown(event)
          if (event.defaultPrevented) return
          if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) void send()
          if (event.key !== 'Escape' || (!cancel && value.trim() === '')) return
          // Keeps Escape from closing the panel and losing the text.
          event.preventDefault()
          cancel?.()
        }}
      />
      {people.list}
      {(value.trim() !== '' || isOpen || draft.showOther) && (
        <div className="composer-actions">
          <Button type="submit" look={cancel ? 'secondary' : 'primary'} refusal={refusal} isBusy={isSending}>
            {action}
          </Button>
          {cancel && (
            <Button look="quiet" onClick={cancel}>
              {t('Cancel')}
            </Button>
          )}
          {draft.isFound && !cancel && <DraftNote of={t('the comment')} onDiscard={() => draft.discard()} />}
          <OtherDraft onShow={draft.showOther} />
          {draft.isFound && cancel && <span className="draft-mark">{t('Draft')}</span>}
        </div>
      )}
    </form>
  )
}

/** A link that is pasted on selected words links them. */
function linkSelected(event: ClipboardEvent<HTMLTextAreaElement>) {
  const { value, selectionStart, selectionEnd } = event.currentTarget
  const selected = value.slice(selectionStart, selectionEnd)
  const link = event.clipboardData.getData('text/plain').trim()
  if (selected.trim() === '' || !/^https?:\/\/\S+$/i.test(link)) return
  event.preventDefault()
  // The only way to write into a field that the browser can undo.
  document.execCommand('insertText', false, `[${selected}](${link})`)
}
