// Puts the texts of a language into the web app while it is built, so that each build has one language and looks nothing up.
import { type ESTree, type Plugin, parseSync } from 'vite'
import type { Forms, Texts } from '../languages/texts.ts'

interface Place {
  start: number
  end: number
}

/** A text of the interface as the source says it. */
export interface Found extends Place {
  /** The English text, or the form for many; ` [as]` follows if it has more than one meaning. */
  key: string
  english: string | Forms
  /** Where a call without values stands, which is no more than its text. */
  call?: Place
}

/** The texts in a source, in their order. */
export function textsIn(file: string, source: string): Found[] {
  if (!/\b(t|counted|rich)\(/.test(source)) return []
  const { program, errors } = parseSync(file, source)
  if (errors[0]) throw new Error(`${file}: ${errors[0].message}`)
  const found: Found[] = []
  visit(program, (node) => {
    if (node.type !== 'CallExpression' || node.callee.type !== 'Identifier') return
    const { name } = node.callee
    if (name !== 't' && name !== 'counted' && name !== 'rich') return
    const at = name === 'counted' ? 1 : 0
    const [said, values] = node.arguments.slice(at)
    const english = said && (name === 'counted' ? formsOf(said) : literalOf(said))
    if (!said || english === undefined)
      throw new Error(
        `${file}: the text of ${name}(…) must be a literal: ${source.slice(node.start, node.end)}`,
      )
    const meaning = values?.type === 'ObjectExpression' ? meaningOf(values) : undefined
    const text = typeof english === 'string' ? english : english.other
    found.push({
      key: meaning ? `${text} [${meaning}]` : text,
      english,
      start: said.start,
      end: said.end,
      ...(name === 't' && (!values || isOnlyMeaning(values)) && { call: node }),
    })
  })
  return found.sort((a, b) => a.start - b.start)
}

export type Node = ESTree.Node

export function visit(node: unknown, see: (node: Node) => void): void {
  if (Array.isArray(node)) for (const one of node) visit(one, see)
  else if (node !== null && typeof node === 'object') {
    if ('type' in node && 'start' in node) see(node as Node)
    for (const part of Object.values(node)) if (typeof part === 'object') visit(part, see)
  }
}

const literalOf = (node: Node): string | undefined =>
  node.type === 'Literal' && typeof node.value === 'string' ? node.value : undefined

function pairsOf(node: Node): [string, string | undefined][] {
  if (node.type !== 'ObjectExpression') return []
  return node.properties.map((pair) =>
    pair.type === 'Property' && pair.key.type === 'Identifier'
      ? [pair.key.name, literalOf(pair.value)]
      : ['', undefined],
  )
}

function formsOf(node: Node): Forms | undefined {
  const pairs = pairsOf(node)
  const forms = Object.fromEntries(pairs)
  return forms['other'] !== undefined && pairs.every(([, text]) => text !== undefined)
    ? (forms as Forms)
    : undefined
}

const meaningOf = (values: Node) => Object.fromEntries(pairsOf(values))['as']

const isOnlyMeaning = (values: Node) => pairsOf(values).every(([name]) => name === 'as')

/** The source with the texts of a language; it keeps the English ones that the language does not have. */
export function translated(file: string, source: string, texts: Texts): string {
  let result = ''
  let from = 0
  for (const { key, english, call, ...text } of textsIn(file, source)) {
    const { start, end } = call ?? text
    result += source.slice(from, start) + JSON.stringify(texts[key] ?? english)
    from = end
  }
  return result + source.slice(from)
}

/** The one text of the page itself, for browsers without JavaScript. */
export const textOfPage = (page: string): string => /<noscript>(.*)<\/noscript>/.exec(page)?.[1] ?? ''

/** The part of the build that does it. */
export function translating(language: string, texts: Texts): Plugin {
  return {
    name: 'translating',
    enforce: 'pre',
    transform: {
      filter: { id: /\/web\/(?!words\/).*\.tsx?$/ },
      handler: (source, id) => ({ code: translated(id, source, texts), map: null }),
    },
    transformIndexHtml: (page) =>
      page
        .replace('lang="en"', `lang="${language}"`)
        .replace(textOfPage(page), (english) => String(texts[english] ?? english)),
  }
}
