-- What the card of a campaign says, so that a card that the project left as it was follows a change of the campaign. A card from before this
-- keeps its text.
alter table theme_campaigns
  add column changed_at timestamptz not null default clock_timestamp(),
  -- Started by the project that owns the theme, not by the operator.
  add column is_owners boolean not null default false;
alter table theme_campaign_projects
  -- The `changed_at` of the campaign when the card was brought up to date.
  add column told_of timestamptz,
  add column told_title text,
  add column told_description text;
update theme_campaign_projects k set told_of = c.changed_at from theme_campaigns c
  where c.version_id = k.version_id and k.told_deadline = c.deadline;
