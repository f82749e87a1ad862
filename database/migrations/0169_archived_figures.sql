-- Archived projects are few, and their list reads only them.
create index project_figures_archived on project_figures (name_key, project_id) where archived_at is not null;
