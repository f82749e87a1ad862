import type { Database } from '#database/connect.ts'
import { firstPlatform } from '#projects/platform.ts'
import { usualQuotas } from '#quotas/quotas.ts'
import { createWholeTemplate } from '#templates/template/creating.ts'
import { publishTemplate } from '#templates/version/publishing.ts'
import { demoMasters } from './master-content.ts'

/** Adds and publishes the templates; each project receives the ones it has access to. */
export async function seedMasters(db: Database, actorId: number): Promise<void> {
  const by = { platformId: await firstPlatform(db), actorId }
  for (const { toolKey, groups, ...fields } of demoMasters) {
    const created = await createWholeTemplate(db, usualQuotas, by, {
      ...fields,
      tool_key: toolKey,
      groups: groups.map(({ cards, ...group }) => ({
        ...group,
        cards: cards.map(
          ({ key, title, short, description, priority, tourKey, check, needsConfirmation }) => ({
            title,
            short_description: short,
            description,
            unique_identifier: `${toolKey}-${key}`,
            ...(priority && { priority }),
            ...(tourKey && { tour_key: tourKey }),
            ...(check && { evaluation_check: check, needs_confirmation: needsConfirmation ?? false }),
          }),
        ),
      })),
    })
    if (created === 'identifier taken')
      throw new Error(`the database is not empty: it has cards of the template ${fields.title}`)
    await publishTemplate(db, { id: created.id, actorId }, '')
  }
}
