import { noMasterCard } from '#api/failures.ts'
import { operation } from '#api/operation.ts'
import { badCursor, pageInput, pageOutput, readPage } from '#api/page.ts'
import { card } from '#boards/card/card.ts'
import { integer, list, record } from '#contract/schema.ts'
import { readTemplateCard } from '#templates/card/card.ts'
import { listRevisions, revision } from '#templates/card/revisions.ts'

export default operation({
  path: '/services/operations/v1/admin/master-cards/get',
  summary: 'A template card with its versions, newest first, a page at a time',
  audience: 'superadmin',
  on: { 'template card': 'id' },
  input: { id: integer(), ...pageInput },
  success: 200,
  message: 'The template card.',
  output: record({ card, revisions: list(revision), ...pageOutput }),
  failures: { 404: noMasterCard, 422: badCursor },
  async handle({ input: { id, ...paging }, db, fail }) {
    const { after, limit } = readPage(paging, fail)
    const found = await readTemplateCard(db, id)
    if (!found) throw fail(404, 'master_card_not_found')
    const { revisions, hasMore } = await listRevisions(db, id, { before: after, limit })
    return { card: found, revisions, next_cursor: hasMore ? String(revisions.at(-1)?.revision) : null }
  },
})
