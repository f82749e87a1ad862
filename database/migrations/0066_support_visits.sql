-- Projects that superadmins have opened as support, for the session that opened them.
create table support_visits (
  project_id bigint not null references projects,
  session_id bigint not null references sessions (id) on delete cascade,
  reason text not null,
  -- For reading otherwise.
  may_change boolean not null,
  ends_at timestamptz not null,
  primary key (project_id, session_id)
);
create index support_visits_session on support_visits (session_id);
