-- An archived project can be read and not changed, and nothing is done to it until an operator brings it back.
alter table projects
  add column archived_at timestamptz,
  add column archived_by bigint references users;
alter table project_figures add column archived_at timestamptz;
