import { type ReactNode, useEffect, useEffectEvent, useRef, useState } from 'react'
import { DraftNote } from '../drafts/draft-note.tsx'
import { useDraft } from '../drafts/drafts.ts'
import { Button } from '../ui/button.tsx'
import { useFocusReturn } from '../ui/focus-return.ts'
import { cleanFragment, Html } from '../ui/html.tsx'
import { loadable } from '../ui/loadable.tsx'
import { type Mention, mentionedIn } from '../ui/mentions.ts'
import { Notice } from '../ui/notice.tsx'
import type { Person } from '../ui/people-list.tsx'
import { formatOf, PlainText } from '../ui/plain-text.tsx'
import { dismissTopic, showProblem } from '../ui/toast.tsx'
import { viewOnly } from '../ui/view-only.ts'
import { hidden } from '../words/hidden.tsx'
import { rich } from '../words/rich.tsx'
import { t } from '../words/words.ts'
import type { Described } from './types.ts'
import './description.css'

const RichText = loadable(() => import('../ui/rich-text.tsx'))

interface Props {
  /** The thing that it describes. */
  of: Described
  /** The name of the draft. */
  place: string
  refusal: string | undefined
  /** Rejects if the service refuses, also because the description is no longer `before`; the text then stays here. */
  onSave(text: string | null, basis: Basis): Promise<unknown>
  /** Who can be mentioned; no one by default. */
  members?: readonly Person[]
  mentions?: readonly Mention[]
  /** Beside the heading. */
  note?: ReactNode
  onEditing?(isEditing: boolean): void
}

/** What a new text is based on, and whom it mentions. */
interface Basis {
  before: string | null
  mentions: number[]
}

const nobody: readonly Person[] = []

export function Description(props: Props) {
  const { of, place, refusal, onSave, members = nobody, mentions = [], note, onEditing } = props
  const { description, description_format: format } = of
  const draft = useDraft(place)
  const [isOpened, setOpened] = useState(draft.text !== undefined)
  const isEditing = isOpened || draft.text !== undefined
  const tellEditing = useEffectEvent((is: boolean) => onEditing?.(is))
  useEffect(() => {
    if (!isEditing) return
    tellEditing(true)
    return () => tellEditing(false)
  }, [isEditing])
  const [isSaving, setSaving] = useState(false)
  const [opened, setBefore] = useState<string | null>()
  /** Their version, which the person has seen and wants to replace. */
  const [replaced, setReplaced] = useState<string | null>()
  const chosen = useRef(new Map<string, number>())
  /** The stored text when editing began, possibly before a reload. */
  const begun = draft.text === undefined ? opened : draft.before
  const before = replaced === undefined ? begun : replaced
  const isOutdated = isEditing && !isSaving && before !== undefined && before !== description
  const { button, willReturn } = useFocusReturn(isEditing)
  const edit = () => {
    setBefore(description)
    setReplaced(undefined)
    setOpened(true)
  }
  const keepMine = () => {
    dismissTopic(place)
    setReplaced(description)
  }
  const [otherCount, setOtherCount] = useState(0)
  const showOther =
    draft.showOther &&
    (() => {
      draft.showOther?.()
      setReplaced(undefined)
      // The editor takes its text only when it opens.
      setOtherCount(otherCount + 1)
    })
  const close = () => {
    dismissTopic(place)
    willReturn()
    draft.discard(t('Description changes discarded'))
    setOpened(false)
  }
  /** A restored draft differs from the stored text even if nothing was typed since. */
  const isStored = (next: string, isAsOpened: boolean) =>
    next === (description ?? '') || (isAsOpened && !draft.isFound)
  const save = async (next: string, isAsOpened: boolean) => {
    if (isOutdated) {
      showProblem(t('Choose a version first'), { topic: place })
      throw new Error('The description is outdated')
    }
    dismissTopic(place)
    setSaving(true)
    try {
      if (!isStored(next, isAsOpened)) {
        const known = { members, chosen: chosen.current, before: mentions }
        const mentioned = mentionedIn(plainTextOf(next), known)
        await onSave(next === '' ? null : next, { before: before ?? null, mentions: mentioned })
      }
      draft.clear(next)
    } finally {
      setSaving(false)
    }
  }
  if (refusal === viewOnly && !description && !isEditing) return null
  return (
    <section className="description" aria-label={t('Description')}>
      <div className="description-header">
        <h2>{t('Description')}</h2>
        {note}
        {!isEditing && (
          <Button ref={button} look="quiet" refusal={refusal} onClick={edit}>
            {description
              ? rich('Edit<hidden> the description</hidden>', { hidden })
              : rich('Add<hidden> the description</hidden>', { hidden })}
          </Button>
        )}
        {isEditing && draft.isFound && (
          <DraftNote of={t('the description')} onDiscard={close} onOther={showOther} />
        )}
      </div>
      {isOutdated && (
        <Notice
          look="warning"
          title={t('Someone else edited this')}
          action={
            <span className="description-choice">
              <Button onClick={keepMine}>{t('Keep mine')}</Button>
              <Button onClick={close}>{t('Use theirs')}</Button>
            </span>
          }
        >
          {t('Their version is below. Yours is in the editor and is not saved yet.')}
        </Notice>
      )}
      {isOutdated && (
        <section className="description-theirs" aria-label={t('Their version')}>
          {description ? <Shown text={description} format={format} /> : t('No description')}
        </section>
      )}
      {isEditing ? (
        <RichText
          key={otherCount}
          label={t('Description')}
          text={draft.text ?? description ?? ''}
          format={draft.text === undefined ? (description ? format : 'html') : formatOf(draft.text)}
          takesFocus={draft.takesFocus}
          onClose={close}
          onSave={save}
          onWrite={(next, isAsOpened) =>
            isStored(next, isAsOpened) ? draft.clear() : draft.write(next, before)
          }
          people={members}
          onMention={({ id, name }) => chosen.current.set(name, id)}
        />
      ) : (
        <Shown text={description} format={format} />
      )}
    </section>
  )
}

function Shown({ text, format }: { text: string | null; format: 'text' | 'html' }) {
  if (!text) return null
  return format === 'html' ? <Html html={text} /> : <PlainText text={text} />
}

const plainTextOf = (text: string) =>
  formatOf(text) === 'html' ? (cleanFragment(text).textContent ?? '') : text
