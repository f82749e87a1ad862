-- How many bytes boards/get sends of a row at most. The fixed part is its keys, numbers and times. In v1 the board is JSON
-- text inside JSON, where a character that JSON escapes takes up to four bytes.
create or replace function sent_bytes(fixed integer, words text) returns integer language sql immutable parallel safe
as $$ select fixed + 4 * octet_length(words) - 3 * octet_length(translate(words, E'"\\\n\r\t', '')) $$;

alter table boards add column bytes integer not null generated always as (sent_bytes(500,
  title || coalesce(description, '') || coalesce(tool_key, '') || coalesce(icon, '') || coalesce(color, ''))) stored;
alter table groups add column bytes integer not null generated always as (sent_bytes(540,
  title || coalesce(description, '') || coalesce(type, '') || coalesce(icon, '') || coalesce(color, ''))) stored;
alter table cards add column if not exists bytes integer not null generated always as (sent_bytes(800,
  title || coalesce(description, '') || coalesce(short_description, '') || status || coalesce(unique_identifier, '')
    || coalesce(evaluation_check, '') || coalesce(tour_key, ''))) stored;
alter table master_boards add column bytes integer not null generated always as (sent_bytes(500,
  title || coalesce(description, '') || coalesce(tool_key, '') || coalesce(icon, '') || coalesce(color, ''))) stored;
alter table master_groups add column bytes integer not null generated always as (sent_bytes(540,
  title || coalesce(description, ''))) stored;
alter table master_cards add column bytes integer not null generated always as (sent_bytes(800,
  title || coalesce(description, '') || coalesce(short_description, '') || status || coalesce(unique_identifier, '')
    || coalesce(evaluation_check, '') || coalesce(tour_key, ''))) stored;

-- What a board holds that is not deleted: the sum of its rows. Writers who come at the same moment add to different ones, so that
-- they do not wait for each other's commits; rollouts add to the first. Only boards that are not deleted themselves have
-- rows, so that those of a project are few.
create table board_sizes (
  project_id bigint not null,
  board_id bigint not null,
  slot smallint not null,
  cards bigint not null,
  groups bigint not null,
  bytes bigint not null,
  comment_bytes bigint not null,
  primary key (project_id, board_id, slot),
  foreign key (project_id, board_id) references boards (project_id, id)
);

-- The same, counted from the rows themselves: of some projects, or of all (null).
create function counted_sizes(project_ids bigint[]) returns setof board_sizes language sql stable as $$
  select b.project_id, b.id, 0::smallint, c.cards, g.groups, b.bytes + g.bytes + c.bytes, m.bytes
  from boards b,
    lateral (select count(*) as groups, coalesce(sum(bytes), 0)::bigint as bytes from groups
      where project_id = b.project_id and board_id = b.id and deleted_at is null) g,
    lateral (select count(*) as cards, coalesce(sum(bytes), 0)::bigint as bytes from cards
      where project_id = b.project_id and board_id = b.id and deleted_at is null) c,
    lateral (select coalesce(sum(octet_length(m.comment)), 0)::bigint as bytes from cards c
      join comments m on m.project_id = b.project_id and m.card_id = c.id and m.deleted_at is null
      where c.project_id = b.project_id and c.board_id = b.id and c.deleted_at is null) m
  where b.deleted_at is null and (project_ids is null or b.project_id = any(project_ids))
$$;
insert into board_sizes select * from counted_sizes(null);

-- Ends the work of a caller who meets a limit: `message` is the limit, `detail` its number.
create function refuse_growth(quota text, most jsonb) returns void language plpgsql as $$
begin
  raise exception using errcode = 'QUOTA', message = quota, detail = most->>quota;
end $$;

-- Adds to what a board holds, or takes away from it, and refuses what grows beyond a limit of `most`. Near a limit of the board, a
-- list or a card, writers go one by one: the first row stays locked until the caller commits, so that none of these limits is
-- passed by those who come at the same moment. `list` is a group that grows, `card` one that is commented on. One plan for all
-- calls: to plan anew for each took half of the time.
create function take_room(project bigint, board bigint, most jsonb, more_cards bigint default 0, more_groups bigint default 0,
  more_bytes bigint default 0, more_comment_bytes bigint default 0, list bigint default null, card bigint default null)
returns void language plpgsql set plan_cache_mode = force_generic_plan as $$
declare
  -- Only those that this change can meet: to take a number out of JSON is not cheap.
  most_cards bigint := case when more_cards > 0 then most->>'cardsPerBoard' end;
  most_groups bigint := case when more_groups > 0 then most->>'groupsPerBoard' end;
  most_bytes bigint := case when more_bytes > 0 then most->>'bytesPerBoard' end;
  most_in_list bigint := case when list is not null then most->>'cardsPerGroup' end;
  most_on_card bigint := case when card is not null then most->>'commentsPerCard' end;
  most_in_project bigint := case when more_bytes + more_comment_bytes > 0 then most->>'bytesPerProject' end;
  held record;
  in_list bigint;
  on_card bigint;
  is_alone boolean := false;
begin
  insert into board_sizes as present (project_id, board_id, slot, cards, groups, bytes, comment_bytes)
    values (project, board, 1 + pg_backend_pid() % 4, more_cards, more_groups, more_bytes, more_comment_bytes)
    on conflict (project_id, board_id, slot) do update set cards = present.cards + more_cards,
      groups = present.groups + more_groups, bytes = present.bytes + more_bytes,
      comment_bytes = present.comment_bytes + more_comment_bytes;
  if coalesce(most_cards, most_groups, most_bytes, most_in_list, most_on_card, most_in_project) is null then return; end if;
  loop
    select sum(cards) filter (where board_id = board) as cards, sum(groups) filter (where board_id = board) as groups,
        sum(bytes) filter (where board_id = board) as bytes, sum(bytes + comment_bytes) as in_project
      into held from board_sizes where project_id = project;
    -- A list is counted only where the whole board has more cards than a list may have.
    if held.cards > most_in_list then
      select count(*) into in_list from (
        select from cards where project_id = project and group_id = list and deleted_at is null limit most_in_list + 1) counted;
    end if;
    if card is not null then
      select count(*) into on_card from (
        select from comments where project_id = project and card_id = card and deleted_at is null limit most_on_card + 1) counted;
    end if;
    exit when is_alone or (held.cards + 100 >= most_cards or held.groups + 100 >= most_groups
      or held.bytes + 3000000 >= most_bytes or in_list + 100 >= most_in_list or on_card + 100 >= most_on_card)
      is not true;
    insert into board_sizes (project_id, board_id, slot, cards, groups, bytes, comment_bytes)
      values (project, board, 0, 0, 0, 0, 0) on conflict (project_id, board_id, slot) do nothing;
    perform from board_sizes where project_id = project and board_id = board and slot = 0 for update;
    is_alone := true;
  end loop;
  if in_list > most_in_list then perform refuse_growth('cardsPerGroup', most); end if;
  if held.cards > most_cards then perform refuse_growth('cardsPerBoard', most); end if;
  if held.groups > most_groups then perform refuse_growth('groupsPerBoard', most); end if;
  if on_card > most_on_card then perform refuse_growth('commentsPerCard', most); end if;
  if held.bytes > most_bytes then perform refuse_growth('bytesPerBoard', most); end if;
  if held.in_project > most_in_project then perform refuse_growth('bytesPerProject', most); end if;
end $$;

-- The same after a card was changed or moved; `old_…` is what it was before.
create function take_room_of_card(project bigint, card bigint, most jsonb, old_board bigint, old_group bigint, old_bytes bigint)
returns void language plpgsql as $$
declare
  changed record;
  said bigint;
begin
  select board_id, group_id, bytes into changed from cards where project_id = project and id = card;
  if changed.board_id = old_board then
    -- Most moves stay on a board that is far from full, and those need no lock.
    if changed.bytes <> old_bytes or (changed.group_id <> old_group and exists (
        select from board_sizes where project_id = project and board_id = old_board
        having sum(cards) > (most->>'cardsPerGroup')::bigint))
    then
      perform take_room(project, old_board, most, more_bytes => changed.bytes - old_bytes,
        list => case when changed.group_id <> old_group then changed.group_id end);
    end if;
    return;
  end if;
  select coalesce(sum(octet_length(comment)), 0) into said from comments
    where project_id = project and card_id = card and deleted_at is null;
  -- In one order, so that cards that change places between two boards do not wait for each other.
  if old_board < changed.board_id then
    perform take_room(project, old_board, most, -1, more_bytes => -old_bytes, more_comment_bytes => -said);
  end if;
  perform take_room(project, changed.board_id, most, 1, more_bytes => changed.bytes, more_comment_bytes => said, list => changed.group_id);
  if old_board > changed.board_id then
    perform take_room(project, old_board, most, -1, more_bytes => -old_bytes, more_comment_bytes => -said);
  end if;
end $$;

-- As before, and a card that comes to another list or board takes its room there.
drop function move_card(bigint, bigint, bigint, bigint, bigint);
create function move_card(project bigint, card bigint, target bigint, place bigint, actor bigint, most jsonb default '{}') returns text
language plpgsql as $$
declare
  before record;
  source record;
  goal bigint;
  goal_board bigint;
  first_rank bigint;
  new_rank bigint;
  is_full boolean;
begin
  select group_id, rank into before from cards where project_id = project and id = card and deleted_at is null;
  goal := coalesce(target, before.group_id);
  select min(rank) into first_rank from cards where project_id = project and group_id = goal and deleted_at is null;
  new_rank := rank_at(project, goal, card, place, case when goal = before.group_id then before.rank end);
  is_full := new_rank is null;
  if is_full then
    perform from groups where project_id = project and id = goal and deleted_at is null for update;
  end if;
  select board_id into goal_board from groups
    where project_id = project and id = goal and deleted_at is null for key share;
  select group_id, board_id, rank, bytes into source from cards
    where project_id = project and id = card and deleted_at is null for no key update;
  if source is null then return 'no card'; end if;
  -- Another move came between; whoever called tries again, since locks are taken in one order only.
  if target is null and goal <> source.group_id then return 'elsewhere'; end if;
  if goal_board is null then return 'no group'; end if;
  -- Nobody can give the list new ranks any more. Those are all above the old ones, so the first of the list tells if somebody has.
  if is_full or (source.group_id, source.rank) is distinct from (before.group_id, before.rank)
    or first_rank is distinct from (
      select min(rank) from cards where project_id = project and group_id = goal and deleted_at is null)
  then
    new_rank := rank_at(project, goal, card, place, case when goal = source.group_id then source.rank end);
  end if;
  if new_rank = source.rank and goal = source.group_id then return 'there already'; end if;
  if new_rank is null then
    -- The room was taken just now: the next try finds the list full, and locks it.
    if not is_full then raise exception 'the list is full' using errcode = 'serialization_failure'; end if;
    perform respace_cards(project, goal);
    new_rank := rank_at(project, goal, card, place, null);
  end if;
  update cards set group_id = goal, board_id = goal_board, rank = new_rank, is_moved = true, updated_at = now()
    where project_id = project and id = card;
  perform take_room_of_card(project, card, most, source.board_id, source.group_id, source.bytes);
  -- A move to another board is news for both.
  insert into events (project_id, board_id, card_id, actor_id, kind, data)
    select project, concerned, card, actor, 'card.moved',
      jsonb_build_object('from_group_id', source.group_id, 'group_id', goal)
    from (select goal_board as concerned union select source.board_id) boards;
  return 'moved';
end $$;
