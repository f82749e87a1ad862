-- A place without room is widened by new ranks for the cards around it. Before, all cards of the list got new ranks: cards that were moved to
-- the same place of a list of 10,000 again and again rewrote it after every 20 moves.

-- Takes as few cards on both sides as have room together: the more cards, the more room each must get, so that the same cards are rarely
-- spread again. The first and the last ranks of a list always have room beyond them.
create function make_room(project bigint, list bigint, wanted bigint, present bigint) returns void
set plan_cache_mode = force_generic_plan language plpgsql as $$
declare
  usual_gap constant bigint := 1 << 20;
  -- Far from every rank, for cards that are between their old and their new rank.
  away constant bigint := 1::bigint << 62;
  reach bigint := 16;
  before bigint;
  low bigint;
  high bigint;
  ranks_below bigint[];
  ranks_above bigint[];
  ranks bigint[];
begin
  select rank into before from cards
    where project_id = project and group_id = list and deleted_at is null and (present is null or rank <> present)
    order by rank offset wanted - 2 limit 1;
  loop
    -- One more on each side, which keeps its rank.
    ranks_below := array(select rank from cards
      where project_id = project and group_id = list and deleted_at is null and rank <= before order by rank desc limit reach + 1);
    ranks_above := array(select rank from cards
      where project_id = project and group_id = list and deleted_at is null and rank > before order by rank limit reach + 1);
    low := ranks_below[reach + 1];
    high := ranks_above[reach + 1];
    select array_agg(rank order by rank) into ranks from unnest(ranks_below[:reach] || ranks_above[:reach]) rank;
    exit when low is null or high is null or high - low >= (reach << 10) * (cardinality(ranks) + 1);
    reach := reach * 2;
  end loop;
  high := coalesce(high, list_end());
  low := coalesce(low, ranks[1] - usual_gap * (cardinality(ranks) + 1));
  update cards set rank = rank - away
    where project_id = project and group_id = list and deleted_at is null and rank between ranks[1] and ranks[cardinality(ranks)];
  update cards set rank = (low + (high - low) / (cardinality(ranks) + 1) * fresh.place) | 1, is_moved = true
    from unnest(ranks) with ordinality as fresh (rank, place)
    where project_id = project and group_id = list and deleted_at is null and cards.rank = fresh.rank - away;
end $$;

create or replace function move_card(project bigint, card bigint, target bigint, wanted bigint, given_rank bigint, actor bigint, most jsonb,
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
    perform make_room(project, goal, wanted, case when goal = made.group_id then made.rank end);
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
