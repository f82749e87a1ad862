import { useMemo } from 'react'
import { cleanFragment } from '../../ui/html.tsx'
import { formatOf } from '../../ui/plain-text.tsx'
import { t } from '../../words/words.ts'
import { changedWords, wordsOf } from './word-difference.ts'
import '../../ui/html.css'
import './difference.css'

interface Props {
  before: string | null
  after: string | null
}

/** Two texts beside each other with what changed marked; formatted ones keep their format. */
export function TextDifference({ before, after }: Props) {
  const [left, right] = useMemo(() => markedTexts(before ?? '', after ?? ''), [before, after])
  return (
    <div className="difference-sides">
      <Side label={t('Before')} text={left} isEmpty={!before} isPlain={isPlain(before)} />
      <Side label={t('After')} text={right} isEmpty={!after} isPlain={isPlain(after)} />
    </div>
  )
}

const isPlain = (text: string | null) => formatOf(text ?? '') === 'text'

interface SideProps {
  label: string
  text: DocumentFragment
  isEmpty: boolean
  isPlain: boolean
}

const Side = ({ label, text, isEmpty, isPlain }: SideProps) => (
  <section className="difference-side" aria-label={label}>
    {isEmpty ? (
      <p className="difference-empty">{t('Empty')}</p>
    ) : (
      <div
        className={isPlain ? 'html plain-text' : 'html'}
        dir="auto"
        ref={(element) => element?.replaceChildren(text.cloneNode(true))}
      />
    )}
  </section>
)

function markedTexts(before: string, after: string): [DocumentFragment, DocumentFragment] {
  const fragments = [fragmentOf(before), fragmentOf(after)] as const
  const texts = fragments.map((fragment) => textsIn(fragment))
  const words = texts.map((nodes) => nodes.flatMap(({ data }) => wordsOf(data)))
  const flags = changedWords(words[0] ?? [], words[1] ?? [])
  mark(texts[0] ?? [], flags[0], 'del')
  mark(texts[1] ?? [], flags[1], 'ins')
  return [...fragments]
}

function fragmentOf(text: string): DocumentFragment {
  if (formatOf(text) === 'html') return cleanFragment(text)
  const fragment = document.createDocumentFragment()
  fragment.append(text)
  return fragment
}

function textsIn(fragment: DocumentFragment): Text[] {
  const walker = document.createTreeWalker(fragment, NodeFilter.SHOW_TEXT)
  const texts: Text[] = []
  while (walker.nextNode()) texts.push(walker.currentNode as Text)
  return texts
}

/** Puts the changed words of the texts into elements; neighbors share one. */
function mark(texts: readonly Text[], isChanged: readonly boolean[], name: 'ins' | 'del') {
  let place = 0
  for (const text of texts) {
    const pieces: { words: string; isChanged: boolean }[] = []
    for (const word of wordsOf(text.data)) {
      const changed = isChanged[place++] ?? false
      const last = pieces.at(-1)
      if (last?.isChanged === changed) last.words += word
      else pieces.push({ words: word, isChanged: changed })
    }
    text.replaceWith(...pieces.map((piece) => (piece.isChanged ? elementOf(name, piece.words) : piece.words)))
  }
}

function elementOf(name: 'ins' | 'del', text: string): HTMLElement {
  const element = document.createElement(name)
  element.textContent = text
  element.dataset['hue'] = name === 'ins' ? 'green' : 'gray'
  return element
}
