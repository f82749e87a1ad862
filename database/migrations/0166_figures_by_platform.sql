-- The overview of a platform reads its own projects only.
create index project_figures_by_platform on project_figures (platform_id) where deleted_at is null;
