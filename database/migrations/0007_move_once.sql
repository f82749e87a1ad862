-- A move looks for its place once, before it locks anything, and again only where something came between.
create or replace function move_card(project bigint, card bigint, target bigint, place bigint, actor bigint) returns text
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
  select group_id, board_id, rank into source from cards
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
  -- A move to another board is news for both.
  insert into events (project_id, board_id, card_id, actor_id, kind, data)
    select project, concerned, card, actor, 'card.moved',
      jsonb_build_object('from_group_id', source.group_id, 'group_id', goal)
    from (select goal_board as concerned union select source.board_id) boards;
  return 'moved';
end $$;
