import { operation } from '#api/operation.ts'
import { badCursor, pageInput, pageOutput, readPage } from '#api/page.ts'
import { card } from '#boards/card/card.ts'
import { descriptionVersion } from '#boards/card/description-version.ts'
import { openCard } from '#boards/card/opening.ts'
import { comment } from '#boards/comment/comment.ts'
import { mentions } from '#boards/mentioning.ts'
import { flag, integer, list, nullable, oneOf, onlyInV2, record, text } from '#contract/schema.ts'
import { findingSentence } from '#events/finding.ts'
import { following, readFollowing } from '#inbox/following.ts'
import { readProvenance, resettable } from '#templates/copies.ts'
import { cardFields } from '#templates/rules.ts'

const person = record({ id: integer(), name: text() })

/** For a card that came from a template: its master, and which fields the project has customized. */
const provenance = record({
  master_card_id: integer(),
  master_board_id: integer(),
  master_board_title: text(),
  revision: integer(),
  newest_revision: integer(),
  changed_fields: list(oneOf(resettable)),
  version: onlyInV2(
    nullable(integer({ about: 'The number of the version in which the card was last received.' })),
  ),
  newest_version: onlyInV2(
    nullable(integer({ about: 'The number of the newest version that changed the card.' })),
  ),
  takes_updates: onlyInV2(flag({ about: 'False if rollouts leave the card as it is.' })),
  template_values: onlyInV2(
    list(
      record({
        field: oneOf(cardFields),
        value: nullable(text({ about: 'What the template has; `true` or `false` for a flag.' })),
      }),
    ),
  ),
})

export default operation({
  path: '/services/operations/v1/operations/cards/get',
  summary:
    'Get a card with its board, its comments in pages (newest first), their authors, the result of its check, and what comes from a template',
  audience: 'read',
  on: { card: 'id' },
  input: { id: integer(), ...pageInput },
  success: 200,
  message: 'The card.',
  output: record({
    card,
    board_id: integer(),
    /** The oldest of the page first. */
    comments: list(comment),
    comments_count: integer(),
    /** What the last report of its check said, or what Cardinal itself found, in the reader's language. */
    evaluation_detail: nullable(text()),
    people: list(person),
    provenance: nullable(provenance),
    ...following.properties,
    /** For `if_version` of cards/update. */
    description_version: text(),
    /** The people whom the description mentions. */
    mentions,
    ...pageOutput,
  }),
  failures: { 422: badCursor },
  check: ({ input, fail }) => void readPage(input, fail),
  async handle({ input: { id, ...paging }, caller, projectId, db, http, fail }) {
    const page = readPage(paging, fail)
    const [opened, provenance, followed] = await Promise.all([
      openCard(db, { projectId, id, readerId: caller.id }, page),
      readProvenance(db, projectId, id),
      readFollowing(db, { projectId, cardId: id, userId: caller.id }),
    ])
    if (!opened || !followed) return undefined
    const { evaluation_detail: detail } = opened
    const evaluation_detail =
      detail === null || typeof detail === 'string' ? detail : http.say(findingSentence(detail))
    const description_version = descriptionVersion(opened.card.description)
    return { ...opened, ...followed, description_version, evaluation_detail, provenance }
  },
})
