import type { Database } from '#database/connect.ts'

/** How long something deleted can still be brought back. */
const keptDays = 30

/**
 * Empties what was deleted long ago: comments go, and of cards, groups, boards and tags the words go. The rows stay: a copy's
 * row is what keeps a template from bringing it back.
 */
export async function purgeDeleted(db: Database): Promise<void> {
  const isOld = `deleted_at < now() - interval '${keptDays} days'`
  await db.transaction(async ({ sql }) => {
    await sql.unsafe(`delete from comment_reads r using comments m
      where m.project_id = r.project_id and m.id = r.comment_id and m.${isOld}`)
    await sql.unsafe(`update comments set comment = '' where ${isOld} and comment <> ''`)
    await sql.unsafe(`update cards set title = '', description = null, short_description = null
      where ${isOld} and title <> ''`)
    await sql.unsafe(`update groups set title = '', description = null where ${isOld} and title <> ''`)
    await sql.unsafe(`update boards set title = '', description = null where ${isOld} and title <> ''`)
    await sql.unsafe(`update tags set name = '' where ${isOld} and name <> ''`)
  })
}
