-- How many cards a group has that are not deleted, and the largest sort_order it gave out. A group without a row is counted by the next
-- writer who needs it; who changes many cards at once deletes the rows. The caller has the project locked.
create table group_sizes (
  project_id bigint not null,
  group_id bigint not null,
  cards bigint not null,
  last_order integer not null,
  primary key (project_id, group_id),
  foreign key (project_id, group_id) references groups (project_id, id)
) with (fillfactor = 50);

create function count_group(project bigint, list bigint) returns void language sql as $$
  insert into group_sizes select project, list, count(*), coalesce(max(sort_order), 0)
    from cards where project_id = project and group_id = list and deleted_at is null
$$;

-- Called before a card comes to a group: the size that the group will have, or an error if that is too large. A new card has no
-- `given_order` and gets `last_order`.
create function add_to_group(project bigint, list bigint, most jsonb, given_order integer default null) returns group_sizes
language plpgsql as $$
declare
  held group_sizes;
begin
  loop
    update group_sizes set cards = cards + 1,
        last_order = case when given_order is null then last_order + 1 else greatest(last_order, given_order) end
      where project_id = project and group_id = list returning * into held;
    exit when found;
    perform count_group(project, list);
  end loop;
  if held.cards > (most->>'cardsPerGroup')::bigint then perform refuse_growth('cardsPerGroup', most); end if;
  return held;
end $$;

create function take_from_group(project bigint, list bigint) returns void language sql as $$
  update group_sizes set cards = cards - 1 where project_id = project and group_id = list
$$;

drop function take_room(bigint, bigint, jsonb, bigint, bigint, bigint, bigint, bigint, bigint);
drop function take_room_of_card(bigint, bigint, jsonb, bigint, bigint, bigint);
-- Adds to what a board holds, or takes away from it, and refuses what grows beyond a limit of `most`. The caller has the project
-- locked, so every limit is exact. `card` is one that is commented on.
create function take_room(project bigint, board bigint, most jsonb, more_cards bigint default 0, more_groups bigint default 0,
  more_bytes bigint default 0, more_comment_bytes bigint default 0, card bigint default null)
returns void language plpgsql as $$
declare
  held record;
  most_here bigint;
begin
  update board_sizes set cards = cards + more_cards, groups = groups + more_groups, bytes = bytes + more_bytes,
      comment_bytes = comment_bytes + more_comment_bytes
    where project_id = project and board_id = board
    -- What the project held before, since a statement does not see what it writes.
    returning cards, groups, bytes, (select sum(s.bytes + s.comment_bytes) from board_sizes s where s.project_id = project)
      as in_project into held;
  if not found then
    insert into board_sizes (project_id, board_id, cards, groups, bytes, comment_bytes)
      values (project, board, more_cards, more_groups, more_bytes, more_comment_bytes)
      returning cards, groups, bytes, (select coalesce(sum(s.bytes + s.comment_bytes), 0) from board_sizes s
        where s.project_id = project) as in_project into held;
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

-- The same after a card was changed or moved; `old_…` is what it was before.
create function take_room_of_card(project bigint, card bigint, most jsonb, old_board bigint, old_bytes bigint)
returns void language plpgsql as $$
declare
  changed record;
  said bigint;
begin
  select board_id, bytes into changed from cards where project_id = project and id = card;
  if changed.board_id = old_board then
    if changed.bytes <> old_bytes then
      perform take_room(project, old_board, most, more_bytes => changed.bytes - old_bytes);
    end if;
    return;
  end if;
  select coalesce(sum(octet_length(comment)), 0) into said from comments
    where project_id = project and card_id = card and deleted_at is null;
  perform take_room(project, old_board, most, -1, more_bytes => -old_bytes, more_comment_bytes => -said);
  perform take_room(project, changed.board_id, most, 1, more_bytes => changed.bytes, more_comment_bytes => said);
end $$;

-- A new card at the end of a group, or of the first group of the first active board. One call, because it is one round trip, and a
-- function, because each of its statements sees what was committed before the lock was granted.
create or replace function create_card(project bigint, list bigint, actor bigint, words text, description_text text, new_status text,
  new_owner bigint, new_tag bigint, new_due timestamptz, new_priority card_priority, most jsonb,
  out has_group boolean, out is_owner_valid boolean, out is_tag_valid boolean, out place bigint, out made cards)
language plpgsql set plan_cache_mode = force_generic_plan as $$
declare
  goal record;
  held group_sizes;
  reached bigint := next_version(project);
begin
  if list is null then
    select g.board_id, g.id into goal from boards b
      join projects p on p.id = b.project_id
      join groups g on g.project_id = project and g.board_id = b.id and g.deleted_at is null
      where b.project_id = project and b.deleted_at is null and b.is_active and (b.tool_key is null or p.tool_keys ? b.tool_key)
      order by b.rank, g.rank limit 1;
  else
    select board_id, id into goal from groups where project_id = project and id = list and deleted_at is null;
  end if;
  has_group := found;
  is_owner_valid := new_owner is null or exists (select from memberships where project_id = project and user_id = new_owner);
  is_tag_valid := new_tag is null or exists (select from tags where project_id = project and id = new_tag and deleted_at is null);
  if not (has_group and is_owner_valid and is_tag_valid) then
    perform return_version(project);
    return;
  end if;
  held := add_to_group(project, goal.id, most);
  place := held.cards;
  insert into cards (project_id, board_id, group_id, created_by, title, description, status, owner_id, tag_id, due_date, priority,
      rank, sort_order)
    values (project, goal.board_id, goal.id, actor, words, description_text, coalesce(new_status, 'open'), new_owner, new_tag, new_due,
      coalesce(new_priority, 'normal'), list_end(), held.last_order)
    returning * into made;
  perform take_room(project, goal.board_id, most, 1, more_bytes => made.bytes);
  perform record_event(project, goal.board_id, made.id, actor, 'card.created', card_payload(made, place), reached);
end $$;

-- The rank of a place among the `others` of a list, found from the nearer end. `present` is the rank that the moved card has in this
-- list; it keeps that if it can. Null if there is no rank left between the two neighbors. Ranks from here are odd and those of
-- list_end() even, so that a new card never meets a moved one.
drop function rank_at(bigint, bigint, bigint, bigint, bigint);
create function rank_at(project bigint, list bigint, wanted bigint, present bigint, others bigint) returns bigint
language plpgsql set plan_cache_mode = force_generic_plan as $$
declare
  low bigint;
  high bigint;
begin
  if greatest(wanted, 1) > others or wanted is null then
    if present is not null and not exists (
      select from cards where project_id = project and group_id = list and deleted_at is null and rank > present)
    then return present; end if;
    return list_end();
  end if;
  if wanted <= 1 then
    select rank into high from cards
      where project_id = project and group_id = list and deleted_at is null and (present is null or rank <> present)
      order by rank limit 1;
    return case when present < high then present else (high - 524288 - (random() * 524288)::bigint) | 1 end;
  end if;
  if wanted <= others / 2 then
    select min(rank), max(rank) into low, high from (
      select rank from cards
      where project_id = project and group_id = list and deleted_at is null and (present is null or rank <> present)
      order by rank offset wanted - 2 limit 2) near;
  else
    select min(rank), max(rank) into low, high from (
      select rank from cards
      where project_id = project and group_id = list and deleted_at is null and (present is null or rank <> present)
      order by rank desc offset others - wanted limit 2) near;
  end if;
  return case
    when present > low and present < high then present
    when high - low > 7 then (low + ((high - low) * (0.25 + random() / 2))::bigint) | 1
    when high - low > 2 then (low + 1) | 1
  end;
end $$;

-- Moves a card to a place of a list, or to its end; `made` is the card afterwards, `place` where it is.
create or replace function move_card(project bigint, card bigint, target bigint, wanted bigint, actor bigint, most jsonb,
  out outcome text, out place bigint, out made cards)
language plpgsql set plan_cache_mode = force_generic_plan as $$
declare
  source record;
  goal bigint;
  goal_board bigint;
  others bigint;
  new_rank bigint;
  payload jsonb;
  reached bigint := next_version(project);
begin
  select * into made from cards where project_id = project and id = card and deleted_at is null;
  if not found then
    perform return_version(project);
    outcome := 'no card';
    return;
  end if;
  goal := coalesce(target, made.group_id);
  select board_id into goal_board from groups where project_id = project and id = goal and deleted_at is null;
  if not found then
    perform return_version(project);
    outcome := 'no group';
    return;
  end if;
  if goal = made.group_id then
    loop
      select cards - 1 into others from group_sizes where project_id = project and group_id = goal;
      exit when found;
      perform count_group(project, goal);
    end loop;
  else
    others := (add_to_group(project, goal, most, made.sort_order)).cards - 1;
    perform take_from_group(project, made.group_id);
  end if;
  place := case when wanted <= others then greatest(wanted, 1) else others + 1 end;
  new_rank := rank_at(project, goal, wanted, case when goal = made.group_id then made.rank end, others);
  if new_rank = made.rank and goal = made.group_id then
    perform return_version(project);
    outcome := 'there already';
    return;
  end if;
  outcome := 'moved';
  source := made;
  if new_rank is null then
    perform respace_cards(project, goal);
    select rank into new_rank from cards where project_id = project and id = card and group_id = goal;
    new_rank := rank_at(project, goal, wanted, new_rank, others);
  end if;
  update cards set group_id = goal, board_id = goal_board, rank = new_rank, is_moved = true, updated_at = now()
    where project_id = project and id = card returning * into made;
  if goal_board <> source.board_id then
    perform take_room_of_card(project, card, most, source.board_id, source.bytes);
  end if;
  payload := jsonb_build_object('from_board_id', source.board_id, 'from_group_id', source.group_id, 'board_id', goal_board,
    'group_id', goal, 'position', place);
  -- A move to another board is news for both.
  if goal_board <> source.board_id then
    perform record_event(project, source.board_id, card, actor, 'card.moved', payload, reached);
    reached := null;
  end if;
  perform record_event(project, goal_board, card, actor, 'card.moved', payload, reached);
end $$;

