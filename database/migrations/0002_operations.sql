-- Boards, groups, cards, comments, tags and what happened to them. Every table here belongs to projects: its key starts
-- with project_id, and so does every foreign key between them, so that no row can point into another project.

-- One sequence per resource, shared by masters and copies.
create sequence board_ids;
create sequence group_ids;
create sequence card_ids;
create sequence comment_ids;
create sequence tag_ids;
create sequence event_ids;

-- The end of any list: larger than every rank given before, so appending needs no lock on the list.
create sequence list_ends;
create function list_end() returns bigint language sql volatile as $$ select nextval('list_ends') << 20 $$;

create type card_priority as enum ('low', 'normal', 'high', 'urgent');

create table boards (
  project_id bigint not null references projects,
  id bigint not null default nextval('board_ids'),
  master_board_id bigint,
  tool_key text,
  title text not null,
  description text,
  icon text,
  color text,
  rank bigint not null default list_end(),
  is_active boolean not null default true,
  created_by bigint,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  deleted_at timestamptz,
  primary key (project_id, id)
);
create unique index boards_rank on boards (project_id, rank) where deleted_at is null;
create index boards_id on boards (id);
create index boards_deleted on boards (deleted_at) where deleted_at is not null;

create table groups (
  project_id bigint not null,
  id bigint not null default nextval('group_ids'),
  board_id bigint not null,
  master_group_id bigint,
  title text not null,
  description text,
  type text,
  color text,
  icon text,
  rank bigint not null default list_end(),
  is_collapsed boolean not null default false,
  is_active boolean not null default true,
  created_by bigint,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  deleted_at timestamptz,
  primary key (project_id, id),
  unique (project_id, board_id, id),
  foreign key (project_id, board_id) references boards
);
create unique index groups_rank on groups (project_id, board_id, rank) where deleted_at is null;
create index groups_id on groups (id);
create index groups_deleted on groups (deleted_at) where deleted_at is not null;

create table tags (
  project_id bigint not null references projects,
  id bigint not null default nextval('tag_ids'),
  name text not null,
  color text,
  icon text,
  rank bigint not null default list_end(),
  is_active boolean not null default true,
  created_by bigint,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  deleted_at timestamptz,
  primary key (project_id, id)
);
create unique index tags_rank on tags (project_id, rank) where deleted_at is null;
create index tags_id on tags (id);
create index tags_deleted on tags (deleted_at) where deleted_at is not null;

create table cards (
  project_id bigint not null,
  id bigint not null default nextval('card_ids'),
  board_id bigint not null,
  group_id bigint not null,
  master_card_id bigint,
  card_type text not null default 'custom',
  title text not null,
  description text,
  short_description text,
  status text not null default 'open',
  priority card_priority not null default 'normal',
  owner_id bigint,
  tag_id bigint,
  unique_identifier text,
  evaluation_check text,
  tour_key text,
  rank bigint not null default list_end(),
  -- The order that creation or the template gave; moving a card does not change it.
  sort_order integer not null,
  is_active boolean not null default true,
  due_date timestamptz,
  snoozed_until timestamptz,
  created_by bigint,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  deleted_at timestamptz,
  primary key (project_id, id),
  -- Only the group: a card is locked against the deletion of its group, and a board is deleted group by group.
  foreign key (project_id, board_id, group_id) references groups (project_id, board_id, id),
  foreign key (project_id, owner_id) references memberships (project_id, user_id) on delete set null (owner_id),
  foreign key (project_id, tag_id) references tags
);
create unique index cards_rank on cards (project_id, group_id, rank) where deleted_at is null;
create index cards_board on cards (project_id, board_id) where deleted_at is null;
create index cards_owner on cards (project_id, owner_id) where owner_id is not null;
create index cards_tour on cards (project_id) where tour_key is not null and is_active and deleted_at is null;
create index cards_id on cards (id);
create index cards_deleted on cards (deleted_at) where deleted_at is not null;

create table comments (
  project_id bigint not null,
  id bigint not null default nextval('comment_ids'),
  card_id bigint not null,
  user_id bigint not null,
  parent_comment_id bigint,
  comment text not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  deleted_at timestamptz,
  primary key (project_id, id),
  foreign key (project_id, card_id) references cards,
  foreign key (project_id, parent_comment_id) references comments
);
create index comments_card on comments (project_id, card_id, id) where deleted_at is null;
create index comments_id on comments (id);
create index comments_deleted on comments (deleted_at) where deleted_at is not null;

-- Who has read which comment; the author has read their own without a row.
create table comment_reads (
  project_id bigint not null,
  comment_id bigint not null,
  user_id bigint not null,
  read_at timestamptz not null default now(),
  primary key (project_id, comment_id, user_id),
  foreign key (project_id, comment_id) references comments
);

-- What happened, written in the transaction that made it happen: the outbox of live updates and the activity log.
-- xid names that transaction, so "what is news since a snapshot" is exact without any lock (database/snapshot.ts).
create table events (
  project_id bigint not null references projects,
  id bigint not null default nextval('event_ids'),
  xid xid8 not null default pg_current_xact_id(),
  -- 0: the whole project, such as a tag.
  board_id bigint not null,
  card_id bigint,
  actor_id bigint,
  kind text not null,
  data jsonb not null,
  created_at timestamptz not null default now(),
  primary key (project_id, id)
);
create index events_news on events (project_id, board_id, xid);
create index events_board on events (project_id, board_id, id);
create index events_stream on events (project_id, xid);
create index events_card on events (project_id, card_id, id) where card_id is not null;

-- Answers of writes that carried an Idempotency-Key.
create table idempotency_keys (
  user_id bigint not null references users on delete cascade,
  key text not null,
  request_hash bytea not null,
  status integer not null,
  body text not null,
  created_at timestamptz not null default now(),
  primary key (user_id, key)
);
create index idempotency_keys_age on idempotency_keys (created_at);

-- Timestamps as they are on the wire; stable, so that PostgreSQL can inline it.
create function wire_time(timestamptz) returns text language sql stable parallel safe as
  $$ select to_char($1 at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') $$;

-- Moves a card to a place of a list. Nobody else waits for it: like a new card it only keeps the list from being deleted, and of
-- two that choose the same rank at the same moment one fails on the unique index and is tried again. In one function, so that
-- what it locks is locked for one round trip.
create function move_card(project bigint, card bigint, target bigint, place bigint, actor bigint) returns text
language plpgsql as $$
declare
  source record;
  goal bigint := target;
  goal_board bigint;
  new_rank bigint;
begin
  if goal is null then
    select group_id into goal from cards where project_id = project and id = card and deleted_at is null;
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
    perform respace_cards(project, goal);
    new_rank := rank_at(project, goal, card, place, null);
  end if;
  update cards set group_id = goal, board_id = goal_board, rank = new_rank, updated_at = now()
    where project_id = project and id = card;
  -- A move to another board is news for both.
  insert into events (project_id, board_id, card_id, actor_id, kind, data)
    select project, concerned, card, actor, 'card.moved',
      jsonb_build_object('from_group_id', source.group_id, 'group_id', goal)
    from (select goal_board as concerned union select source.board_id) boards;
  return 'moved';
end $$;

-- A rank for the place: the present one where the card is there already, null where there is no room between the neighbours,
-- else somewhere in the middle half between them, so that moves to one place at one moment seldom meet. Ranks from here are odd
-- and those of list_end() even, so that no new card ever meets a moved one.
create function rank_at(project bigint, list bigint, card bigint, place bigint, present bigint) returns bigint
language sql volatile as $$
  select case
    when place <= 1 then case when present < coalesce(min(rank), present + 1) then present
      else coalesce((min(rank) - 524288 - (random() * 524288)::bigint) | 1, list_end()) end
    when count(*) < 2 then case when not exists (
        select from cards where project_id = project and group_id = list and deleted_at is null and rank > present)
      then coalesce(present, list_end()) else list_end() end
    when present > min(rank) and present < max(rank) then present
    when max(rank) - min(rank) > 7 then (min(rank) + ((max(rank) - min(rank)) * (0.25 + random() / 2))::bigint) | 1
    when max(rank) - min(rank) > 2 then (min(rank) + 1) | 1
  end
  from (
    select rank from cards where project_id = project and group_id = list and id <> card and deleted_at is null
    order by rank offset greatest(place - 2, 0) limit case when place <= 1 then 1 when place is null then 0 else 2 end
  ) near
$$;

-- Fresh ranks in the present order, for deleted cards too: they may return. The lock keeps new and moved ones out meanwhile.
create function respace_cards(project bigint, list bigint) returns void language plpgsql as $$
begin
  perform from groups where project_id = project and id = list for update;
  update cards set rank = fresh.rank
    from (select id, list_end() as rank from (
      select id from cards where project_id = project and group_id = list order by rank) ordered) fresh
    where cards.project_id = project and cards.id = fresh.id;
end $$;
