-- The ranks of cards that are moved together are found before they move (boards/card/placing.ts). Before, each move looked for its place
-- and might space the whole list anew: 500 cards of a long list in a bad order took seconds, while all other writers of the project waited.
drop function move_card(bigint, bigint, bigint, bigint, bigint, jsonb, integer);
drop function rank_at(bigint, bigint, bigint, bigint, bigint, integer);

create function rank_at(project bigint, list bigint, wanted bigint, present bigint, others bigint) returns bigint
set plan_cache_mode = force_generic_plan language plpgsql as $$
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

create function move_card(project bigint, card bigint, target bigint, wanted bigint, given_rank bigint, actor bigint, most jsonb,
  out outcome text, out place bigint, out made cards)
set plan_cache_mode = force_generic_plan language plpgsql as $$
declare
  source record;
  goal bigint;
  goal_board bigint;
  goal_type text;
  is_goal_active boolean;
  others bigint;
  new_rank bigint;
  new_status text;
  old_status text;
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
  select board_id, type, is_active into goal_board, goal_type, is_goal_active from groups
    where project_id = project and id = goal and deleted_at is null;
  if not found or not is_goal_active then
    perform return_version(project);
    outcome := case when is_goal_active is null then 'no group' else 'archived' end;
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
  new_rank := coalesce(given_rank, rank_at(project, goal, wanted, case when goal = made.group_id then made.rank end, others));
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
  payload := jsonb_build_object('from_board_id', source.board_id, 'from_group_id', source.group_id, 'board_id', goal_board,
    'group_id', goal, 'position', place);
  if goal <> source.group_id and (goal_type = 'done' or source.status_before_done is not null) then
    new_status := source.status;
    old_status := source.status_before_done;
    if is_done_group(project, goal) then
      if source.status <> 'closed' then
        new_status := 'closed';
        old_status := source.status;
      elsif not is_done_group(project, source.group_id) then
        old_status := null;
      end if;
    else
      if source.status = 'closed' and is_done_group(project, source.group_id) then
        new_status := coalesce(old_status, 'closed');
      end if;
      old_status := null;
    end if;
    update cards set status = new_status, status_before_done = old_status,
        status_before_evaluation = case when new_status = source.status then status_before_evaluation end
      where project_id = project and id = card returning * into made;
    if new_status <> source.status then
      payload := payload || jsonb_build_object('status', jsonb_build_object('from', source.status, 'to', new_status));
    end if;
  end if;
  if goal_board <> source.board_id or made.bytes <> source.bytes then
    perform take_room_of_card(project, card, most, source.board_id, source.bytes);
  end if;
  -- A move to another board is news for both.
  if goal_board <> source.board_id then
    perform record_event(project, source.board_id, card, actor, 'card.moved', payload, reached);
    reached := null;
  end if;
  perform record_event(project, goal_board, card, actor, 'card.moved', payload, reached);
end $$;
