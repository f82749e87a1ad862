// Whom a text mentions, as pure functions: a mention is an `@` and a name in the text, and the id of the person beside it.

interface Person {
  id: number
  name: string
}

export interface Mention {
  user_id: number
  name: string
}

interface Known {
  members: readonly Person[]
  /** Whom the person has chosen from the list, by name; tells apart members with the same name. */
  chosen: ReadonlyMap<string, number>
  /** The mentions that the text had, perhaps with names that people no longer have. */
  before: readonly Mention[]
}

/** The ids of those whose names the text has after an `@`. */
export function mentionedIn(text: string, { members, chosen, before }: Known): number[] {
  const idOf = (name: string): number | undefined => {
    const namesakes = members.filter((member) => member.name === name)
    const earlier = before.find((mention) => mention.name === name)?.user_id
    return chosen.get(name) ?? earlier ?? (namesakes.length === 1 ? namesakes[0]?.id : undefined)
  }
  const parts = splitByMentions(text, [...members, ...before])
  const ids = parts.flatMap((part) => (part.isMention ? (idOf(part.text.slice(1)) ?? []) : []))
  return [...new Set(ids)]
}

interface Part {
  text: string
  isMention: boolean
}

/** The text in parts, of which some are mentions of these people. Of two names, the longer one counts. */
export function splitByMentions(text: string, people: readonly { name: string }[]): Part[] {
  const escaped = [...new Set(people.map(({ name }) => name))]
    .filter((name) => name !== '')
    .toSorted((a, b) => b.length - a.length)
    .map((name) => name.replace(/[$()*+./?[\\\]^{|}-]/g, '\\$&'))
  if (escaped.length === 0) return [{ text, isMention: false }]
  const mention = new RegExp(
    `(?<![\\p{L}\\p{M}\\p{N}_@])(@(?:${escaped.join('|')}))(?![\\p{L}\\p{M}\\p{N}_])`,
    'u',
  )
  return text
    .split(mention)
    .map((part, index) => ({ text: part, isMention: index % 2 === 1 }))
    .filter((part) => part.text !== '')
}
