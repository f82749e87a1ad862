-- Campaigns that bring projects away from a deprecated theme version: why, to which version, until when.
create table theme_campaigns (
  version_id bigint primary key references projects,
  platform_id bigint not null references platforms,
  reason text not null,
  replacement_id bigint references projects,
  deadline timestamptz not null,
  started_by bigint references users,
  started_at timestamptz not null default now(),
  -- When the version was restored.
  ended_at timestamptz,
  -- Who has the projects moved to the replacement, and since when; null while nobody does.
  moving_by bigint references users,
  moving_since timestamptz,
  moved integer not null default 0
);
create index theme_campaigns_platform on theme_campaigns (platform_id, version_id) where ended_at is null;

-- The projects that used the version when the campaign started; no other can choose it since.
create table theme_campaign_projects (
  project_id bigint not null references projects,
  version_id bigint not null references theme_campaigns,
  -- When the project got its card; without one if it has no group, or no room.
  told_at timestamptz,
  card_id bigint,
  -- How many reminders its people have got.
  reminders smallint not null default 0,
  -- When it chose another version.
  left_at timestamptz,
  primary key (project_id, version_id)
);
create index theme_campaign_projects_staying on theme_campaign_projects (version_id, project_id) where left_at is null;
create index theme_campaign_projects_untold on theme_campaign_projects (version_id, project_id) where told_at is null;

alter table inbox_items drop constraint inbox_items_reason_check;
alter table inbox_items add constraint inbox_items_reason_check check (reason in ('assigned', 'mentioned', 'replied', 'commented',
  'status_changed', 'due_soon', 'overdue', 'trial_ending', 'theme_deadline', 'template_changed', 'invitation_accepted'));
