// Which version of its template a copy has, for the kept figures.
import { isBehind } from '#templates/coverage.ts'

/**
 * The copies in the projects $1, each with the revision of the version that it has. A copy that lacks nothing has the newest version, as coverage says,
 * however it came to it: rollouts of single cards do not write to each board, and a version may change nothing in projects. Copies in the same state are
 * compared with the template once, and only if they are not known to have its newest version.
 */
export const receivedVersions = `
  with older as materialized (
    select b.master_board_id, b.synced_revision, newest.revision as newest
    from boards b
    cross join lateral (select max(v.revision) as revision from template_versions v where v.board_id = b.master_board_id) newest
    where b.project_id = any($1::bigint[]) and b.master_board_id is not null and b.deleted_at is null
      and b.synced_revision > 0 and b.version_revision < newest.revision
    group by 1, 2, 3
  ), up_to_date as materialized (
    select m.id, older.synced_revision, older.newest, m.tool_key from older join master_boards m on m.id = older.master_board_id
    where not ${isBehind}
  )
  select copy.project_id, copy.master_board_id,
    case when up_to_date.tool_key is null or p.tool_keys ? up_to_date.tool_key
      then greatest(copy.version_revision, up_to_date.newest) else copy.version_revision end as revision
  from boards copy join projects p on p.id = copy.project_id and p.id = any($1::bigint[])
  left join up_to_date on up_to_date.id = copy.master_board_id and up_to_date.synced_revision = copy.synced_revision
  where copy.project_id = any($1::bigint[]) and copy.master_board_id is not null and copy.deleted_at is null`
