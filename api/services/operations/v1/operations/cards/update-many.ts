import { archived, inactive, notFound } from '#api/failures.ts'
import { operation } from '#api/operation.ts'
import { limitReached, onLimit } from '#api/quota.ts'
import { changeCards } from '#boards/card/changing-many.ts'
import { mostCards } from '#boards/card/several.ts'
import { usual } from '#contract/failure.ts'
import { integer, list, optional, record, timestamp } from '#contract/schema.ts'
import { changeable } from './fields.ts'

const entry = record({
  id: integer({ about: 'The id of the card.' }),
  group_id: optional(integer()),
  position: optional(integer()),
  ...changeable,
})

export default operation({
  path: '/services/operations/v1/operations/cards/update-many',
  summary: `Change and move up to ${mostCards} cards of a project, all or none`,
  about:
    'Each entry names a card and only what changes. Fields change first; then cards move in the order of the list, to the end of the group unless the entry has a position.',
  audience: 'work',
  on: { card: 'cards.id' },
  input: { cards: list(entry, { max: mostCards }) },
  success: 200,
  message: 'The cards were updated.',
  output: record({
    updated_count: integer({ about: 'How many were changed; the others already were as wanted.' }),
    changed_at: timestamp({ about: 'A card with a later `updated_at` was changed again since.' }),
  }),
  failures: {
    400: limitReached,
    403: usual[403],
    422: {
      'cards.*.id': notFound,
      'cards.*.group_id': { ...notFound, ...archived },
      'cards.*.owner_id': notFound,
      'cards.*.tag_id': { ...notFound, ...inactive },
    },
  },
  writes: true,
  async handle({ input: { cards }, caller, projectId, isForeign, db, quotas, fail }) {
    const changing = changeCards(db, quotas, { projectId, actorId: caller.id }, cards)
    const outcome = await changing.catch(onLimit((limit) => fail(400, ...limit)))
    if ('updated' in outcome) return { updated_count: outcome.updated, changed_at: outcome.at }
    const ids = cards.map(({ id }) => id)
    const problems: Parameters<typeof fail>[1] = {}
    for (const { id, invalid } of outcome.entries) {
      const index = ids.indexOf(id)
      const { group_id, owner_id, tag_id } = invalid
      const isElsewhere = group_id === 'not_found' && isForeign('group', cards[index]?.group_id as number)
      if (await isElsewhere) throw fail(403, 'forbidden')
      if (invalid.id) problems[`cards.${index}.id`] = invalid.id
      if (group_id) problems[`cards.${index}.group_id`] = group_id
      if (owner_id) problems[`cards.${index}.owner_id`] = owner_id
      if (tag_id) problems[`cards.${index}.tag_id`] = tag_id
    }
    throw fail(422, problems)
  },
})
