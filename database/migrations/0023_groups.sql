-- A card that is moved into a group of type `done` is closed, and gets its status back when it is moved out. Boards that exist keep
-- their ways; new ones do this.
alter table boards add column done_closes_cards boolean not null default false;
alter table boards alter column done_closes_cards set default true;
alter table cards add column status_before_done text;

alter table master_groups add column type text, add column color text, add column icon text,
  add column is_collapsed boolean not null default false;
alter table master_groups drop column bytes;
alter table master_groups add column bytes integer not null generated always as (sent_bytes(540,
  title || coalesce(description, '') || coalesce(type, '') || coalesce(icon, '') || coalesce(color, ''))) stored;
alter table master_group_revisions add column type text, add column color text, add column icon text,
  add column is_collapsed boolean not null default false;

create function is_done_group(project bigint, list bigint) returns boolean stable language sql as $$
  select exists (
    select from groups g join boards b on b.project_id = project and b.id = g.board_id
    where g.project_id = project and g.id = list and g.type = 'done' and b.done_closes_cards)
$$;

drop function create_card(bigint, bigint, bigint, text, text, text, bigint, bigint, timestamptz, card_priority, jsonb);
-- A new card at the end of a group, or of the first group of the first active board; neither the group is archived nor the tag inactive.
-- One call, because it is one round trip, and a function, because each of its statements sees what was committed before the lock was
-- granted.
create function create_card(project bigint, list bigint, actor bigint, words text, description_text text, new_status text,
  new_owner bigint, new_tag bigint, new_due timestamptz, new_priority card_priority, most jsonb,
  out has_group boolean, out is_group_active boolean, out is_owner_valid boolean, out is_tag_valid boolean, out place bigint,
  out made cards)
language plpgsql set plan_cache_mode = force_generic_plan as $$
declare
  goal record;
  held group_sizes;
  reached bigint := next_version(project);
begin
  if list is null then
    select g.board_id, g.id, g.is_active into goal from boards b
      join projects p on p.id = b.project_id
      join groups g on g.project_id = project and g.board_id = b.id and g.deleted_at is null and g.is_active
      where b.project_id = project and b.deleted_at is null and b.is_active and (b.tool_key is null or p.tool_keys ? b.tool_key)
      order by b.rank, g.rank limit 1;
  else
    select board_id, id, is_active into goal from groups where project_id = project and id = list and deleted_at is null;
  end if;
  has_group := found;
  is_group_active := goal.is_active;
  is_owner_valid := new_owner is null or exists (select from memberships where project_id = project and user_id = new_owner);
  is_tag_valid := new_tag is null or exists (
    select from tags where project_id = project and id = new_tag and deleted_at is null and is_active);
  if not (has_group and is_group_active and is_owner_valid and is_tag_valid) then
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

-- Moves a card to a place of a list, or to its end; `made` is the card afterwards, `place` where it is.
create or replace function move_card(project bigint, card bigint, target bigint, wanted bigint, actor bigint, most jsonb,
  out outcome text, out place bigint, out made cards)
language plpgsql set plan_cache_mode = force_generic_plan as $$
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
