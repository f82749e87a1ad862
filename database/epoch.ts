/**
 * SQL for the history that the versions of projects belong to. After a restore, or the promotion of a lagging replica, versions that
 * were seen before are given again; both start another PostgreSQL or create the tables again, which changes this value. Any role
 * may read it.
 */
export const epoch = `to_hex(hashtextextended(
  extract(epoch from pg_postmaster_start_time()) || pg_relation_filepath('project_versions'), 0))`

/** SQL for the version of a project, which is that of its newest event. */
export const versionOf = (projectId: string) =>
  `coalesce((select version from project_versions where project_id = ${projectId}), 0)`
