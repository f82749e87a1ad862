/**
 * Names, as SQL, the history that the versions of projects belong to. A restore, and the promotion of a replica that lagged, give
 * versions out again that others have seen already; each of them starts another PostgreSQL, or makes the tables anew. Any role may
 * read it, and a statement that compares it needs no second look.
 */
export const epoch = `to_hex(hashtextextended(
  extract(epoch from pg_postmaster_start_time()) || pg_relation_filepath('project_versions'), 0))`

/** The version of a project, as SQL: that of its newest event. */
export const versionOf = (projectId: string) =>
  `coalesce((select version from project_versions where project_id = ${projectId}), 0)`
