import { Bold, Code, Heading2, Italic, Link2, List, ListOrdered, Quote, Table2 } from 'lucide-react'
import { type KeyboardEvent, useEffect, useId, useRef, useState } from 'react'
import type Squire from 'squire-rte'
import { t } from '../words/words.ts'
import { Button, IconButton } from './button.tsx'
import './field.css'
import { Editor } from './editor.ts'
import { insertTable } from './editor-table.ts'
import { fill, keepLastLine } from './editor-text.ts'
import { setBlock, typeMarkdown } from './markdown-typing.ts'
import { type Person, usePeopleList } from './people-list.tsx'
import './rich-text.css'

interface Props {
  label: string
  text: string
  format: 'text' | 'html'
  /** Rejects if the service refuses; the text then stays here. `isAsOpened` is true if nothing was changed. */
  onSave(text: string, isAsOpened: boolean): Promise<unknown>
  onClose(): void
  onWrite(text: string, isAsOpened: boolean): void
  /** False if it opens without the person's action. */
  takesFocus: boolean
  /** Who can be mentioned; no one by default. */
  people?: readonly Person[] | undefined
  onMention?: ((person: Person) => void) | undefined
}

const nobody: readonly Person[] = []

/** An editor for formatted text, loaded on demand. */
export default function RichText(props: Props) {
  const { label, text, format, onSave, onClose, onWrite, takesFocus, people = nobody, onMention } = props
  const field = useRef<HTMLDivElement>(null)
  const [editor, setEditor] = useState<Squire>()
  const isSent = useRef(false)
  const opened = useRef('')
  const read = useRef<() => string>(() => '')
  const [isSaving, setSaving] = useState(false)
  const suggested = usePeopleList({
    people,
    insert(inserted, length) {
      const range = editor?.getSelection()
      if (!editor || !range) return
      range.setStart(range.startContainer, range.startOffset - length)
      editor.setSelection(range)
      editor.insertPlainText(inserted, false)
    },
    onMention: (person) => onMention?.(person),
  })
  const look = useRef(suggested.look)
  look.current = suggested.look
  // biome-ignore lint/correctness/useExhaustiveDependencies: text that is being typed is not overwritten by new props.
  useEffect(() => {
    if (!field.current) return
    const made = new Editor(field.current, format === 'html', (pasted) => {
      if (read.current() !== '') return false
      read.current = fill(made, pasted, false)
      made.moveCursorToEnd()
      made.fireEvent('input')
      return true
    })
    for (const key of ['Enter', 'Shift-Enter']) made.setKeyHandler(key, breakLine)
    read.current = fill(made, text, format === 'html')
    made.moveCursorToEnd()
    if (takesFocus) made.focus()
    setEditor(made)
    let known = read.current()
    opened.current = known
    made.addEventListener('input', () => {
      const written = read.current()
      if (written !== known) onWrite(written, written === opened.current)
      known = written
      look.current(textBefore(made.getSelection()))
    })
    const endTyping = typeMarkdown(made)
    const endPausing = pauseTyping(field.current.parentElement as HTMLElement, () => isSent.current)
    return () => {
      endTyping()
      endPausing()
      made.destroy()
    }
  }, [])
  const save = async () => {
    if (!editor || isSent.current) return
    isSent.current = true
    setSaving(true)
    const written = read.current()
    await onSave(written, written === opened.current).then(onClose, () => {
      isSent.current = false
      setSaving(false)
    })
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Escape') {
      event.preventDefault()
      onClose()
    }
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) {
      event.preventDefault()
      void save()
    }
  }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: it hears the keys of the field and the buttons inside.
    <div className="rich-text" onKeyDown={onKeyDown} onKeyDownCapture={suggested.onKeyDown}>
      {editor && <Toolbar editor={editor} />}
      {/* biome-ignore lint/a11y/useSemanticElements: an input cannot hold formatted text. */}
      <div
        ref={field}
        className={`rich-text-field html ${format === 'html' ? '' : 'plain-text'}`}
        role="textbox"
        aria-multiline="true"
        aria-label={label}
        {...(people.length > 0 && suggested.textProps)}
        tabIndex={0}
        dir="auto"
      />
      {suggested.list}
      <div className="rich-text-actions">
        <Button look="primary" isBusy={isSaving} onClick={() => void save()}>
          {t('Save')}
        </Button>
        <Button look="quiet" onClick={onClose}>
          {t('Cancel')}
        </Button>
      </div>
    </div>
  )
}

/** Text that is entered while the text before it is being saved would vanish with the editor. */
function pauseTyping(around: HTMLElement, isPaused: () => boolean): () => void {
  const listening = new AbortController()
  const { signal } = listening
  for (const type of ['keydown', 'beforeinput', 'paste', 'cut', 'drop'])
    around.addEventListener(
      type,
      (event) => {
        if (!isPaused() || (event instanceof KeyboardEvent && event.key === 'Tab')) return
        event.preventDefault()
        event.stopPropagation()
      },
      { signal, capture: true },
    )
  return () => listening.abort()
}

/** The text of the line before the cursor, as far as it has one format. */
function textBefore({ collapsed, startContainer, startOffset }: Range): string {
  return collapsed && startContainer instanceof Text ? startContainer.data.slice(0, startOffset) : ''
}

const wordFormats = ['B', 'I', 'S', 'CODE']

/** A format that has ended stays off on the next line, although Squire continues the text before the cursor. */
function breakLine(editor: Squire, event: globalThis.KeyboardEvent) {
  event.preventDefault()
  const ended = wordFormats.filter((tag) => !editor.hasFormat(tag))
  editor.splitBlock(event.shiftKey)
  keepLastLine(editor.getSelection())
  for (const tag of ended) if (editor.hasFormat(tag)) editor.changeFormat(null, { tag })
}

function Toolbar({ editor }: { editor: Squire }) {
  const [, redraw] = useState(0)
  const [address, setAddress] = useState<string>()
  const [isRefused, setRefused] = useState(false)
  const problemId = useId()
  useEffect(() => {
    const onPath = () => redraw((count) => count + 1)
    editor.addEventListener('pathChange', onPath)
    return () => void editor.removeEventListener('pathChange', onPath)
  }, [editor])
  const inside = (...tags: string[]) =>
    tags.some((tag) => editor.hasFormat(tag) || new RegExp(`(?:^|>)${tag}\\b`).test(editor.getPath()))
  const run = (action: () => unknown) => () => {
    action()
    editor.focus()
    redraw((count) => count + 1)
  }
  const ask = () => {
    setRefused(false)
    setAddress('https://')
  }
  const tools = [
    {
      label: t('Bold'),
      tags: ['B'],
      icon: <Bold />,
      on: () => editor.bold(),
      off: () => editor.removeBold(),
    },
    {
      label: t('Italic'),
      tags: ['I'],
      icon: <Italic />,
      on: () => editor.italic(),
      off: () => editor.removeItalic(),
    },
    {
      label: t('Heading'),
      tags: ['H2'],
      icon: <Heading2 />,
      on: () => setBlock(editor, 'H2'),
      off: () => setBlock(editor, 'P'),
    },
    {
      label: t('List'),
      tags: ['UL'],
      icon: <List />,
      on: () => editor.makeUnorderedList(),
      off: () => editor.removeList(),
    },
    {
      label: t('Numbered list'),
      tags: ['OL'],
      icon: <ListOrdered />,
      on: () => editor.makeOrderedList(),
      off: () => editor.removeList(),
    },
    {
      label: t('Quote'),
      tags: ['BLOCKQUOTE'],
      icon: <Quote />,
      on: () => editor.increaseQuoteLevel(),
      off: () => editor.decreaseQuoteLevel(),
    },
    {
      label: t('Code'),
      tags: ['PRE', 'CODE'],
      icon: <Code />,
      on: () => editor.code(),
      off: () => editor.removeCode(),
    },
  ]
  return (
    <div className="rich-text-tools" role="toolbar" aria-label={t('Format')}>
      {tools.map(({ label, tags, icon, on, off }) => (
        <IconButton
          key={label}
          label={label}
          icon={icon}
          aria-pressed={inside(...tags)}
          onClick={run(inside(...tags) ? off : on)}
        />
      ))}
      <IconButton label={t('Table')} icon={<Table2 />} onClick={run(() => insertTable(editor))} />
      <IconButton
        label={t('Link')}
        icon={<Link2 />}
        aria-pressed={inside('A')}
        onClick={inside('A') ? run(() => editor.removeLink()) : ask}
      />
      {address !== undefined && (
        <input
          className="input"
          // biome-ignore lint/a11y/noAutofocus: the person has just asked for it.
          autoFocus
          type="url"
          aria-label={t('Link address')}
          aria-invalid={isRefused || undefined}
          aria-describedby={isRefused ? problemId : undefined}
          value={address}
          onChange={(event) => {
            setAddress(event.target.value)
            setRefused(false)
          }}
          onBlur={() => setAddress(undefined)}
          onKeyDown={(event) => {
            if (event.key !== 'Enter' && event.key !== 'Escape') return
            event.preventDefault()
            // Escape here cancels the link, not the whole text.
            event.stopPropagation()
            const isLink = /^(https?:\/\/|mailto:)./i.test(address.trim())
            if (event.key === 'Enter' && !isLink) return setRefused(true)
            run(() => event.key === 'Enter' && editor.makeLink(address.trim()))()
            setAddress(undefined)
          }}
        />
      )}
      {address !== undefined && isRefused && (
        <p id={problemId} role="alert" className="field-error">
          {t('Enter a link that starts with https://, http:// or mailto:')}
        </p>
      )}
    </div>
  )
}
