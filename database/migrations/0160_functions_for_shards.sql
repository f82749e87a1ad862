-- What a sharded PostgreSQL can run: functions in plpgsql where they read tenant tables, and no subquery in the `returning` of an insert.

create or replace function count_group(project bigint, list bigint) returns void language plpgsql as $$
begin
  insert into group_sizes select project, list, count(*), coalesce(max(sort_order), 0)
    from cards where project_id = project and group_id = list and deleted_at is null;
end $$;

create or replace function is_done_group(project bigint, list bigint) returns boolean language plpgsql stable as $$
begin
  return exists (
    select from groups g join boards b on b.project_id = project and b.id = g.board_id
    where g.project_id = project and g.id = list and g.type = 'done' and b.done_closes_cards);
end $$;

create or replace function take_room(project bigint, board bigint, most jsonb, more_cards bigint default 0, more_groups bigint default 0,
    more_bytes bigint default 0, more_comment_bytes bigint default 0, card bigint default null)
  returns void language plpgsql as $$
declare
  held record;
  held_before numeric;
  most_here bigint;
begin
  update board_sizes set cards = cards + more_cards, groups = groups + more_groups, bytes = bytes + more_bytes,
      comment_bytes = comment_bytes + more_comment_bytes
    where project_id = project and board_id = board
    -- What the project held before, since a statement does not see what it writes.
    returning cards, groups, bytes, (select sum(s.bytes + s.comment_bytes) from board_sizes s where s.project_id = project)
      as in_project into held;
  if not found then
    select coalesce(sum(s.bytes + s.comment_bytes), 0) into held_before from board_sizes s where s.project_id = project;
    insert into board_sizes (project_id, board_id, cards, groups, bytes, comment_bytes)
      values (project, board, more_cards, more_groups, more_bytes, more_comment_bytes)
      returning cards, groups, bytes, held_before as in_project into held;
  end if;
  if more_cards > 0 and held.cards > (most->>'cardsPerBoard')::bigint then perform refuse_growth('cardsPerBoard', most); end if;
  if more_groups > 0 and held.groups > (most->>'groupsPerBoard')::bigint then perform refuse_growth('groupsPerBoard', most); end if;
  if card is not null then
    most_here := most->>'commentsPerCard';
    if (select count(*) from (
      select from comments where project_id = project and card_id = card and deleted_at is null limit most_here + 1) counted) > most_here
    then perform refuse_growth('commentsPerCard', most); end if;
  end if;
  if more_bytes > 0 and held.bytes > (most->>'bytesPerBoard')::bigint then perform refuse_growth('bytesPerBoard', most); end if;
  if more_bytes + more_comment_bytes > 0
    and held.in_project + more_bytes + more_comment_bytes > (most->>'bytesPerProject')::bigint
  then perform refuse_growth('bytesPerProject', most); end if;
end $$;

-- Ranks are read first, because a sharded PostgreSQL has one sequence of them, in one place.
create or replace function respace_cards(project bigint, list bigint) returns void language plpgsql as $$
declare
  ids bigint[];
  ranks bigint[];
begin
  perform from groups where project_id = project and id = list for update;
  select array_agg(id order by rank) into ids from cards where project_id = project and group_id = list;
  select array_agg(list_end()) into ranks from generate_series(1, cardinality(ids));
  update cards set rank = fresh.rank, is_moved = true from unnest(ids, ranks) as fresh (id, rank)
    where cards.project_id = project and cards.id = fresh.id;
end $$;

-- Several events of a project at once, in the order of their numbers.
create function record_events(project bigint, count bigint, happened jsonb) returns void language plpgsql as $$
declare
  reached bigint;
begin
  update project_versions set version = version + count where project_id = project returning version into reached;
  insert into events (project_id, id, board_id, card_id, actor_id, kind, data)
    select project, reached - count + one.number, one.board_id, one.card_id, one.actor_id, one.kind, one.data
    from jsonb_to_recordset(happened) as one (number bigint, board_id bigint, card_id bigint, actor_id bigint, kind text, data jsonb);
end $$;
