import type { Queries } from '#database/connect.ts'

/** Whether projects can change from the version to the replacement; it is held, so that it is not deprecated at the same moment. */
export async function canReplace(
  { sql }: Queries,
  { versionId, replacementId }: { versionId: number; replacementId: number },
): Promise<boolean> {
  const found = await sql`
    select from theme_versions v join projects owner on owner.id = v.project_id and owner.deleted_at is null
    where v.id = ${replacementId} and v.id <> ${versionId} and v.theme_status = 'published'
      and v.platform_id = (select platform_id from theme_versions where id = ${versionId}) for share of v`
  return found.length > 0
}
