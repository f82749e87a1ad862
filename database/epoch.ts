/**
 * Names, as SQL, the history that the transaction ids of a snapshot belong to. A restore, and the promotion of a replica that
 * lagged, give ids out again that others have seen already; each of them starts another PostgreSQL, or makes the tables anew.
 */
export const epoch = `to_hex(hashtextextended(
  extract(epoch from pg_postmaster_start_time()) || pg_relation_filepath('projects'), 0))`
