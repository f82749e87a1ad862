-- The audit log: who signed in, changed access or was refused. Rows are only added; the job forgetAudit deletes old ones.
-- It belongs to the installation and outlives accounts and projects, so it has no foreign keys. Most entries are in no project.
create table audit_entries (
  id bigint generated always as identity primary key,
  at timestamptz not null default clock_timestamp(),
  kind text not null,
  source text not null check (source in ('api', 'command line')),
  actor_id bigint,
  account_id bigint,
  in_project_id bigint,
  in_platform_id bigint,
  address text,
  request_id uuid,
  details jsonb not null default '{}'
);

-- Each list reads one page from the end of one of these, however old the log is.
create index audit_entries_at on audit_entries (at, id);
create index audit_entries_kind on audit_entries (kind, at, id);
create index audit_entries_actor on audit_entries (actor_id, at, id) where actor_id is not null;
create index audit_entries_platform on audit_entries (in_platform_id, at, id) where in_platform_id is not null;
create index audit_entries_project on audit_entries (in_project_id, at, id) where in_project_id is not null;
create index audit_entries_project_kind on audit_entries (in_project_id, kind, at, id) where in_project_id is not null;

-- Where a kept answer comes from: it is repeated only to those who may still act there.
alter table idempotency_keys add column in_project_id bigint;
