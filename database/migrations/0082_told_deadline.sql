-- The deadline that the card of a project has been given, so that a campaign whose deadline is moved finds the cards to change.
alter table theme_campaign_projects add column told_deadline timestamptz;
update theme_campaign_projects k set told_deadline = c.deadline from theme_campaigns c
where c.version_id = k.version_id and k.told_at is not null;
