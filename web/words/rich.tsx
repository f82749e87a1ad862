import { Fragment, type ReactNode } from 'react'
import { type Names, shown } from './words.ts'

type Tags<Text extends string> = Text extends `${string}</${infer Tag}>${infer Rest}`
  ? Tag | Tags<Rest>
  : never

type Parts<Text extends string> = { readonly [Name in Names<Text>]: ReactNode } & {
  readonly [Tag in Tags<Text>]: (inside: ReactNode) => ReactNode
}

const pieces = /<(?<tag>\w+)>(?<inside>.*?)<\/\k<tag>>|\{(?<name>\w+)\}|[^<{]+|[<{]/g

/** A sentence with elements in it: `rich('Read <a>the guide</a>, {name}.', { a: (text) => <a href="/guide">{text}</a>, name: <b>Ada</b> })` */
export function rich<const Text extends string>(text: Text, parts: Parts<Text>): ReactNode {
  const given = parts as Record<string, ReactNode | ((inside: ReactNode) => ReactNode)>
  const drawn = (sentence: string): ReactNode =>
    // biome-ignore lint/suspicious/noArrayIndexKey: the pieces of a sentence keep their places.
    [...sentence.matchAll(pieces)].map((match, index) => <Fragment key={index}>{piece(match)}</Fragment>)
  const piece = ([all, tag, inside, name]: RegExpExecArray): ReactNode => {
    const part = given[tag ?? name ?? '']
    if (typeof part === 'function') return part(drawn(inside as string))
    return name === undefined ? all : shown(part)
  }
  return drawn(text)
}
