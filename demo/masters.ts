import type { Database } from '#database/connect.ts'
import { firstPlatform } from '#projects/platform.ts'
import { usualQuotas } from '#quotas/quotas.ts'
import { changeTemplateCard } from '#templates/card/changing.ts'
import { createWholeTemplate } from '#templates/template/creating.ts'
import { publishTemplate } from '#templates/version/publishing.ts'
import { type DemoMasterCard, demoMasters } from './master-content.ts'

/** Adds the templates and publishes all their versions; each project receives the newest of those it has access to. */
export async function seedMasters(db: Database, actorId: number): Promise<void> {
  const by = { platformId: await firstPlatform(db), actorId }
  for (const { toolKey, groups, earlier = [], note = '', ...fields } of demoMasters) {
    const identifierOf = (key: string) => `${toolKey}-${key}`
    const created = await createWholeTemplate(db, usualQuotas, by, {
      ...fields,
      tool_key: toolKey,
      groups: groups.map(({ cards, ...group }) => ({
        ...group,
        cards: cards.map((card) => ({ ...fieldsOf(card), unique_identifier: identifierOf(card.key) })),
      })),
    })
    if (created === 'identifier taken')
      throw new Error(`the database is not empty: it has cards of the template ${fields.title}`)
    const ids = new Map(
      created.groups.flatMap((group) =>
        group.cards.map((card) => [card.unique_identifier, card.id] as const),
      ),
    )
    const changing = groups
      .flatMap((group) => group.cards)
      .filter(({ key }) => earlier.some(({ cards }) => cards[key]))
    for (const version of [...earlier, { note, cards: {} as Record<string, undefined> }]) {
      for (const card of changing) {
        const id = ids.get(identifierOf(card.key)) as number
        const wanted = { is_active: true, ...fieldsOf({ ...card, ...version.cards[card.key] }) }
        await changeTemplateCard(db, usualQuotas, { id, actorId }, wanted)
      }
      await publishTemplate(db, { id: created.id, actorId }, version.note)
    }
  }
}

const fieldsOf = ({
  title,
  short,
  description,
  priority = 'normal',
  tourKey,
  check,
  needsConfirmation,
  isMissing,
}: DemoMasterCard) => ({
  title,
  short_description: short,
  description,
  priority,
  ...(tourKey && { tour_key: tourKey }),
  ...(check && { evaluation_check: check, needs_confirmation: needsConfirmation ?? false }),
  ...(isMissing && { is_active: false }),
})
