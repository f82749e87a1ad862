// People who are mentioned in a comment or a description. The text has `@` and their name; who is meant is stored beside it, so that a renamed
// person stays mentioned.
import { integer, list, optional, record, text } from '#contract/schema.ts'
import type { Queries } from '#database/connect.ts'

/** A person who is mentioned, and the name that the text has after the `@`. */
export const mentions = list(record({ user_id: integer(), name: text() }), {
  about: 'The people whom the text mentions, with the name that it has for them.',
})

export type Mention = (typeof mentions)['static'][number]

const mostMentions = 50

/** The ids of the people whom the text mentions; those who are no members stay plain text. */
export const mentioned = optional(list(integer(), { max: mostMentions }))

/** The mentions of a text that is changed: who was mentioned before keeps the name that the text has; null for none. */
export async function mentionsAfter(
  queries: Queries,
  projectId: number,
  before: readonly Mention[],
  ids: readonly number[],
): Promise<Mention[] | null> {
  const kept = before.filter(({ user_id }) => ids.includes(user_id))
  const added = ids.filter((id) => !kept.some(({ user_id }) => user_id === id))
  const [found] =
    added.length === 0
      ? []
      : await queries.run<{ mentions: Mention[] | null }>(
          'select mentioned_members($1, $2::bigint[]) as mentions',
          [projectId, added],
        )
  const all = [...kept, ...(found?.mentions ?? [])]
  return all.length === 0 ? null : all
}
