-- Lists of a platform's superadmins read only the rows of their platform, so each row says which that is.
alter table projects add constraint projects_in_platform unique (id, platform_id);

alter table pushes add column platform_id bigint;
update pushes p set platform_id = m.platform_id from master_boards m where m.id = p.board_id;
alter table pushes alter column platform_id set not null;
-- A template stays in its platform, so a key of both columns would need an index for nothing.
alter table pushes add constraint pushes_of_platform foreign key (platform_id) references platforms (id);
create index pushes_platform on pushes (platform_id, id);

alter table themes add column platform_id bigint;
update themes t set platform_id = p.platform_id from projects p where p.id = t.project_id;
alter table themes alter column platform_id set not null;
alter table themes add constraint themes_of_platform
  foreign key (project_id, platform_id) references projects (id, platform_id) on update cascade;
create index themes_project on themes (project_id, platform_id);
create index themes_platform on themes (platform_id, id);

alter table theme_versions add column platform_id bigint;
update theme_versions v set platform_id = p.platform_id from projects p where p.id = v.project_id;
alter table theme_versions alter column platform_id set not null;
alter table theme_versions add constraint theme_versions_of_platform
  foreign key (project_id, platform_id) references projects (id, platform_id) on update cascade;
create index theme_versions_project on theme_versions (project_id, platform_id);
create index theme_versions_platform on theme_versions (platform_id, id);
drop index theme_versions_published;
create index theme_versions_published on theme_versions (platform_id, id) where theme_status = 'published';

-- A kept answer to a superadmin is repeated only while they may act in its platform.
alter table idempotency_keys add column in_platform_id bigint;
