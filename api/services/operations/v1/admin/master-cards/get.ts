import { operation } from '#api/operation.ts'
import { flag, integer, list, nullable, oneOf, record, text, timestamp } from '#contract/schema.ts'
import { card, priorities } from '../../operations/cards/card.ts'
import { descriptionFormat } from '../../operations/fields.ts'
import { readMasterCard } from './master-card.ts'

const revision = record({
  revision: integer(),
  group_id: integer(),
  title: text(),
  description: nullable(text()),
  description_format: descriptionFormat,
  short_description: nullable(text()),
  unique_identifier: nullable(text()),
  evaluation_check: nullable(text()),
  tour_key: nullable(text()),
  status: text(),
  priority: oneOf(priorities),
  is_active: flag(),
  is_deleted: flag(),
  created_by: integer(),
  created_by_name: nullable(text()),
  created_at: timestamp(),
})

export default operation({
  path: '/services/operations/v1/admin/master-cards/get',
  summary: 'A master card with its newest 100 revisions, the newest first',
  audience: 'superadmin',
  input: { id: integer() },
  success: 200,
  message: 'The master card.',
  output: record({ card, revisions: list(revision) }),
  failures: [404],
  async handle({ input: { id }, db, fail }) {
    const found = await readMasterCard(db, id)
    if (!found) throw fail(404, 'There is no master card with this id.')
    const revisions = await db.run<(typeof revision)['static']>(
      `select r.*, description_format(r.description), u.name as created_by_name, wire_time(r.created_at) as created_at
       from master_card_revisions r left join users u on u.id = r.created_by where r.card_id = $1 order by r.revision desc limit 100`,
      [id],
    )
    return { card: found, revisions }
  },
})
