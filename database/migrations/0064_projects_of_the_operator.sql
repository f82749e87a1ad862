-- Labels that superadmins give to projects, in lower case.
create table project_labels (
  project_id bigint not null references projects,
  label text not null,
  created_by bigint references users,
  created_at timestamptz not null default now(),
  primary key (project_id, label)
);
create index project_labels_label on project_labels (label, project_id);

-- What the list of all projects shows, finds and sorts by. A job follows the events of each project and counts it anew, so that
-- writers pay nothing; fleet/figures.ts says how.
create table project_figures (
  project_id bigint primary key references projects,
  platform_id bigint not null references platforms,
  -- The version of the project that is counted here.
  version bigint not null,
  -- The name and the labels in lower case, each on its line.
  searched text not null,
  name_key text not null,
  created_at timestamptz not null,
  deleted_at timestamptz,
  tool_keys text[] not null,
  labels text[] not null,
  -- The newest subscription to each product, and what filters look for in them.
  subscriptions jsonb not null,
  plans text[] not null,
  subscription_statuses text[] not null,
  -- The next end of a trial.
  trial_ends_at timestamptz,
  theme_version_id bigint,
  members integer not null,
  -- When a member last did something; the project's creation before that.
  active_at timestamptz not null,
  -- Cards that came from templates, by template and together.
  templates jsonb not null,
  cards integer not null,
  done integer not null,
  overdue integer not null,
  customized integer not null,
  -- In thousandths; -1 without cards, so that these come first or last.
  progress integer generated always as (case when cards = 0 then -1 else done * 1000 / cards end) stored,
  -- When it is counted again without an event: a card becomes overdue, a trial ends, or a day has passed.
  stale_at timestamptz not null
);
create index project_figures_by_name on project_figures (name_key, project_id);
create index project_figures_by_creation on project_figures (created_at, project_id);
create index project_figures_by_activity on project_figures (active_at, project_id);
create index project_figures_by_progress on project_figures (progress, project_id);
create index project_figures_by_trial on project_figures (trial_ends_at) where trial_ends_at is not null;
create index project_figures_stale on project_figures (stale_at);

-- People are found by the beginning of their address, or of what follows the @.
create index users_by_address on users (lower(email) text_pattern_ops);
create index users_by_domain on users (split_part(lower(email), '@', 2) text_pattern_ops);
