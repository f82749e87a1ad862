-- Masters: templates that are pushed to projects. They belong to a platform and to no project, so they have tables of their
-- own, with the same ids as the rest (one sequence per resource). Every change of a master adds an immutable revision; a copy
-- knows its master and the revision it last received, so that what the project changed itself is a plain comparison.

create table master_boards (
  id bigint primary key default nextval('board_ids'),
  platform_id bigint not null references platforms,
  tool_key text,
  title text not null,
  description text,
  icon text,
  color text,
  rank bigint not null default list_end(),
  is_active boolean not null default true,
  -- Grows with every change of the board or of anything in it; what was changed then has it as its revision.
  version integer not null default 0,
  revision integer not null default 0,
  created_by bigint not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  deleted_at timestamptz
);
create index master_boards_platform on master_boards (platform_id, rank) where deleted_at is null;

create table master_groups (
  id bigint primary key default nextval('group_ids'),
  board_id bigint not null references master_boards,
  title text not null,
  description text,
  rank bigint not null default list_end(),
  revision integer not null default 0,
  created_by bigint not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  deleted_at timestamptz
);
create unique index master_groups_rank on master_groups (board_id, rank) where deleted_at is null;

create table master_cards (
  id bigint primary key default nextval('card_ids'),
  board_id bigint not null references master_boards,
  group_id bigint not null references master_groups,
  title text not null,
  description text,
  short_description text,
  unique_identifier text,
  evaluation_check text,
  tour_key text,
  status text not null default 'open',
  priority card_priority not null default 'normal',
  rank bigint not null default list_end(),
  sort_order integer not null,
  is_active boolean not null default true,
  revision integer not null default 0,
  created_by bigint not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  deleted_at timestamptz
);
create unique index master_cards_rank on master_cards (group_id, rank) where deleted_at is null;
create unique index master_cards_identifier on master_cards (unique_identifier) where deleted_at is null;
create index master_cards_board on master_cards (board_id);

-- Together they are every state that a master board ever had: its state at a version is the newest revision of each thing up
-- to that version.
create table master_board_revisions (
  board_id bigint not null references master_boards,
  revision integer not null,
  title text not null,
  description text,
  icon text,
  color text,
  is_active boolean not null,
  is_deleted boolean not null,
  created_by bigint not null,
  created_at timestamptz not null default now(),
  primary key (board_id, revision)
);

create table master_group_revisions (
  board_id bigint not null references master_boards,
  group_id bigint not null references master_groups,
  revision integer not null,
  title text not null,
  description text,
  rank bigint not null,
  is_deleted boolean not null,
  created_by bigint not null,
  created_at timestamptz not null default now(),
  primary key (group_id, revision)
);
create index master_group_revisions_board on master_group_revisions (board_id, revision);

create table master_card_revisions (
  board_id bigint not null references master_boards,
  card_id bigint not null references master_cards,
  revision integer not null,
  group_id bigint not null references master_groups,
  rank bigint not null,
  sort_order integer not null,
  title text not null,
  description text,
  short_description text,
  unique_identifier text,
  evaluation_check text,
  tour_key text,
  status text not null,
  priority card_priority not null,
  is_active boolean not null,
  is_deleted boolean not null,
  created_by bigint not null,
  created_at timestamptz not null default now(),
  primary key (card_id, revision)
);
create index master_card_revisions_board on master_card_revisions (board_id, revision);

-- What a copy last received.
alter table boards add column master_revision integer;
alter table groups add column master_revision integer;
alter table cards add column master_revision integer;
-- Everything of the master board up to this version has reached this copy; 0 where that is not known, so a sync looks at all.
alter table boards add column synced_version integer not null default 0;
-- The project has ordered the groups of the board itself; no push orders them again.
alter table boards add column has_own_order boolean not null default false;
-- The project has given the card a place itself; no push moves it again.
alter table cards add column is_moved boolean not null default false;
-- Deleted copies too: what a project deleted cannot come back.
create unique index boards_master on boards (project_id, master_board_id) where master_board_id is not null;
create unique index groups_master on groups (project_id, master_group_id) where master_group_id is not null;
create unique index cards_master on cards (project_id, master_card_id) where master_card_id is not null;

create type push_kind as enum ('board', 'card', 'removal');
create type push_status as enum ('running', 'done', 'canceled');

-- One run over projects: of a whole board, of one card, or the removal of a card's copies.
create table pushes (
  id bigint generated by default as identity primary key,
  kind push_kind not null,
  board_id bigint not null references master_boards,
  -- Null: the whole board.
  card_id bigint references master_cards,
  -- The state that it pushes, whatever happens to the master meanwhile.
  version integer not null,
  status push_status not null default 'running',
  created_by bigint not null,
  created_at timestamptz not null default now(),
  finished_at timestamptz,
  -- Another instance goes on with it when nobody has worked on it for a while.
  worked_at timestamptz not null default now()
);
create index pushes_running on pushes (worked_at) where status = 'running';
create index pushes_board on pushes (board_id, id);

-- The projects of a push, in parts that are committed one by one; a worker claims one with its row lock.
create table push_batches (
  push_id bigint not null references pushes on delete cascade,
  number integer not null,
  project_ids bigint[] not null,
  -- Of those: where something changed, and which could not receive anything. The others were up to date.
  changed_ids bigint[] not null default '{}',
  no_access_ids bigint[] not null default '{}',
  -- Project id → why.
  failures jsonb not null default '{}',
  done_at timestamptz,
  primary key (push_id, number)
);
create index push_batches_open on push_batches (push_id, number) where done_at is null;

-- As before, and the card remembers that its place is the project's own. A list without room is locked whole before anything
-- else of it is: two moves that both held it shared would wait for each other.
create or replace function move_card(project bigint, card bigint, target bigint, place bigint, actor bigint) returns text
language plpgsql as $$
declare
  source record;
  goal bigint := target;
  goal_board bigint;
  new_rank bigint;
  is_full boolean;
begin
  select group_id, rank into source from cards where project_id = project and id = card and deleted_at is null;
  goal := coalesce(goal, source.group_id);
  is_full := rank_at(project, goal, card, place, case when goal = source.group_id then source.rank end) is null;
  if is_full then
    perform from groups where project_id = project and id = goal and deleted_at is null for update;
  end if;
  select board_id into goal_board from groups
    where project_id = project and id = goal and deleted_at is null for key share;
  select group_id, board_id, rank into source from cards
    where project_id = project and id = card and deleted_at is null for no key update;
  if source is null then return 'no card'; end if;
  -- Another move came between; whoever called tries again, since locks are taken in one order only.
  if target is null and goal <> source.group_id then return 'elsewhere'; end if;
  if goal_board is null then return 'no group'; end if;
  new_rank := rank_at(project, goal, card, place, case when goal = source.group_id then source.rank end);
  if new_rank = source.rank and goal = source.group_id then return 'there already'; end if;
  if new_rank is null then
    -- The room was taken just now: the next try finds the list full, and locks it.
    if not is_full then raise exception 'the list is full' using errcode = 'serialization_failure'; end if;
    perform respace_cards(project, goal);
    new_rank := rank_at(project, goal, card, place, null);
  end if;
  update cards set group_id = goal, board_id = goal_board, rank = new_rank, is_moved = true, updated_at = now()
    where project_id = project and id = card;
  -- A move to another board is news for both.
  insert into events (project_id, board_id, card_id, actor_id, kind, data)
    select project, concerned, card, actor, 'card.moved',
      jsonb_build_object('from_group_id', source.group_id, 'group_id', goal)
    from (select goal_board as concerned union select source.board_id) boards;
  return 'moved';
end $$;

-- As before; from here on the whole list has ranks of the project's own, between which the master's would mean nothing. Each card
-- gets its new rank once: joined as a subquery, the ranks were given anew for every card that the planner looked them up for.
create or replace function respace_cards(project bigint, list bigint) returns void language plpgsql as $$
begin
  perform from groups where project_id = project and id = list for update;
  with fresh as materialized (
    select id, list_end() as rank from (
      select id from cards where project_id = project and group_id = list order by rank) ordered
  )
  update cards set rank = fresh.rank, is_moved = true from fresh
    where cards.project_id = project and cards.id = fresh.id;
end $$;
