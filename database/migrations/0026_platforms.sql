-- Superadmins of one platform; null for those of all platforms, as every superadmin was until now.
alter table users add column superadmin_platform_id bigint references platforms (id);
alter table users add constraint users_superadmin_platform check (superadmin or superadmin_platform_id is null);

-- An identifier names one template card of a platform; other platforms may use it too.
alter table master_boards add constraint master_boards_in_platform unique (id, platform_id);
alter table master_cards add column platform_id bigint;
update master_cards c set platform_id = m.platform_id from master_boards m where m.id = c.board_id;
alter table master_cards alter column platform_id set not null;
alter table master_cards add constraint master_cards_platform
  foreign key (board_id, platform_id) references master_boards (id, platform_id);
drop index master_cards_board;
create index master_cards_board on master_cards (board_id, platform_id);
drop index master_cards_identifier;
create unique index master_cards_identifier on master_cards (platform_id, unique_identifier) where deleted_at is null;

-- Every installation has a platform, so that only those with several have to choose one.
insert into platforms (name) select 'Cardinal' where not exists (select from platforms);
