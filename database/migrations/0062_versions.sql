-- Edits of a template are a draft. Publishing them gives a numbered version, which is what projects receive. A version is no copy:
-- it takes the next revision of its template, and each thing that it publishes remembers that revision. What a template is at a
-- version is the state of each thing that was published last, up to the revision of the version.
alter table master_boards rename column version to newest_revision;
alter table boards rename column synced_version to synced_revision;
alter table rollouts rename column version to revision;

create table template_versions (
  board_id bigint not null references master_boards,
  number integer not null,
  revision integer not null,
  note text not null default '',
  created_by bigint not null,
  created_at timestamptz not null default now(),
  primary key (board_id, number)
);
create unique index template_versions_revision on template_versions (board_id, revision);

-- The revision of the version that published this state; null for states that no version has.
alter table master_board_revisions add column published_with integer;
alter table master_group_revisions add column published_with integer;
alter table master_card_revisions add column published_with integer;
-- The state in the newest version; null if no version has the thing.
alter table master_boards add column published_revision integer;
alter table master_groups add column published_revision integer;
alter table master_cards add column published_revision integer;

-- Every rollout so far was of a state that is now a version: of the whole template, or of one card with its group and board.
-- Templates that projects have received when they were new, and that were never rolled out as a whole, are published as they are.
create temporary table versions on commit drop as
  select board_id, revision, bool_or(kind = 'board') as is_whole, array_remove(array_agg(card_id), null) as card_ids,
    (array_agg(created_by order by id))[1] as created_by, min(created_at) as created_at
  from rollouts group by board_id, revision;
create temporary table received on commit drop as
  select m.id from master_boards m
  where m.id in (select master_board_id from boards where master_board_id is not null)
    and not exists (select from versions v where v.board_id = m.id and v.is_whole);
update master_boards set newest_revision = newest_revision + 1 where id in (select id from received);
insert into versions select id, newest_revision, true, '{}', created_by, updated_at from master_boards where id in (select id from received);
insert into template_versions (board_id, number, revision, created_by, created_at)
  select board_id, row_number() over (partition by board_id order by revision), revision, created_by, created_at from versions;

update master_card_revisions r set published_with = (
  select min(v.revision) from versions v where v.board_id = r.board_id and v.revision >= r.revision
    and (v.is_whole or r.card_id = any(v.card_ids)) and not exists (
      select from master_card_revisions later where later.card_id = r.card_id and later.revision > r.revision and later.revision <= v.revision));
update master_group_revisions r set published_with = (
  select min(v.revision) from versions v where v.board_id = r.board_id and v.revision >= r.revision
    and (v.is_whole or r.group_id in (
      select c.group_id from master_card_revisions c where c.card_id = any(v.card_ids) and c.published_with = v.revision))
    and not exists (
      select from master_group_revisions later where later.group_id = r.group_id and later.revision > r.revision and later.revision <= v.revision));
update master_board_revisions r set published_with = (
  select min(v.revision) from versions v where v.board_id = r.board_id and v.revision >= r.revision and not exists (
    select from master_board_revisions later where later.board_id = r.board_id and later.revision > r.revision and later.revision <= v.revision));
update master_boards m set published_revision = (
  select max(revision) from master_board_revisions r where r.board_id = m.id and r.published_with is not null);
update master_groups m set published_revision = (
  select max(revision) from master_group_revisions r where r.group_id = m.id and r.published_with is not null);
update master_cards m set published_revision = (
  select max(revision) from master_card_revisions r where r.card_id = m.id and r.published_with is not null);
-- It is now the revision of the version that a rollout of the card alone has brought to every project.
update master_cards m set rolled_out_revision = coalesce((
  select published_with from master_card_revisions r where r.card_id = m.id and r.revision = m.rolled_out_revision), 0)
  where rolled_out_revision > 0;

create index master_board_revisions_published on master_board_revisions (board_id, published_with) where published_with is not null;
create index master_group_revisions_published on master_group_revisions (board_id, group_id, published_with) where published_with is not null;
create index master_card_revisions_published on master_card_revisions (board_id, card_id, published_with) where published_with is not null;

-- A record keeps the names of its time. The title is that of the card, if one card was rolled out.
alter table rollouts add column title text, add column template_title text;
update rollouts p set template_title = coalesce((
    select r.title from master_board_revisions r where r.board_id = p.board_id and r.revision <= p.revision order by r.revision desc limit 1), m.title)
  from master_boards m where m.id = p.board_id;
update rollouts p set title = coalesce((
    select r.title from master_card_revisions r where r.card_id = p.card_id and r.revision <= p.revision order by r.revision desc limit 1),
  template_title);
alter table rollouts alter column title set not null, alter column template_title set not null;
