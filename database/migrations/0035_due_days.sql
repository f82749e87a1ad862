-- A due date without a time: the card is due on that day, wherever its reader is. It is stored as the last millisecond of the day in UTC.
alter table cards add column due_is_date boolean not null default false;

drop function create_card(bigint, bigint, bigint, text, text, text, bigint, bigint, timestamptz, card_priority, jsonb);

-- Validates, inserts, counts like `add_to_group` and `take_room`, and records an event with the payload of `card_payload`. The id is
-- null if there is no such group, or if the group, the owner or the tag is refused.
create function create_card(project bigint, list bigint, actor bigint, words text, description_text text, new_status text,
  new_owner bigint, new_tag bigint, new_due timestamptz, new_due_is_date boolean, new_priority card_priority, most jsonb,
  out has_group boolean, out is_group_active boolean, out is_owner_valid boolean, out is_tag_valid boolean,
  out made_id bigint, out list_id bigint, out place bigint, out made_order integer, out made_at timestamptz)
set plan_cache_mode = force_generic_plan language plpgsql as $$
declare
  reached bigint;
  board bigint;
  made_bytes bigint;
  board_cards bigint;
  board_bytes bigint;
  project_bytes bigint;
begin
  update project_versions set version = version + 1 where project_id = project returning version into reached;
  if not found then reached := next_version(project); end if;
  list_id := list;
  if list is null then
    select g.id into list_id from boards b
      join projects p on p.id = b.project_id
      join groups g on g.project_id = project and g.board_id = b.id and g.deleted_at is null and g.is_active
      where b.project_id = project and b.deleted_at is null and b.is_active and (b.tool_key is null or p.tool_keys ? b.tool_key)
      order by b.rank, g.rank limit 1;
  end if;
  is_owner_valid := true;
  if new_owner is not null then
    is_owner_valid := exists (select from memberships where project_id = project and user_id = new_owner);
  end if;
  is_tag_valid := true;
  if new_tag is not null then
    is_tag_valid := exists (select from tags where project_id = project and id = new_tag and deleted_at is null and is_active);
  end if;
  new_status := coalesce(new_status, 'open');
  new_priority := coalesce(new_priority, 'normal');
  loop
    if is_owner_valid and is_tag_valid then
      update group_sizes s set cards = s.cards + 1, last_order = s.last_order + 1 from groups g
        where s.project_id = project and s.group_id = list_id
          and g.project_id = project and g.id = list_id and g.deleted_at is null and g.is_active
        returning g.board_id, s.cards, s.last_order into board, place, made_order;
      exit when found;
    end if;
    select is_active into is_group_active from groups where project_id = project and id = list_id and deleted_at is null;
    has_group := found;
    if not (has_group and is_group_active and is_owner_valid and is_tag_valid) then
      perform return_version(project);
      return;
    end if;
    perform count_group(project, list_id);
  end loop;
  has_group := true;
  is_group_active := true;
  if place > (most->>'cardsPerGroup')::bigint then perform refuse_growth('cardsPerGroup', most); end if;
  insert into cards (project_id, board_id, group_id, created_by, title, description, status, owner_id, tag_id, due_date, due_is_date,
      priority, rank, sort_order)
    values (project, board, list_id, actor, words, description_text, new_status, new_owner, new_tag, new_due, new_due_is_date,
      new_priority, list_end(), made_order)
    returning id, bytes, created_at into made_id, made_bytes, made_at;
  update board_sizes set cards = cards + 1, bytes = bytes + made_bytes where project_id = project and board_id = board
    -- What the project held before, since a statement does not see what it writes.
    returning cards, bytes, made_bytes + (select sum(s.bytes + s.comment_bytes) from board_sizes s where s.project_id = project)
      into board_cards, board_bytes, project_bytes;
  if not found then perform take_room(project, board, most, 1, more_bytes => made_bytes); end if;
  if board_cards > (most->>'cardsPerBoard')::bigint then perform refuse_growth('cardsPerBoard', most); end if;
  if board_bytes > (most->>'bytesPerBoard')::bigint then perform refuse_growth('bytesPerBoard', most); end if;
  if project_bytes > (most->>'bytesPerProject')::bigint then perform refuse_growth('bytesPerProject', most); end if;
  insert into events (project_id, id, board_id, card_id, actor_id, kind, data)
    values (project, reached, board, made_id, actor, 'card.created', jsonb_strip_nulls(jsonb_build_object(
      'title', words, 'group_id', list_id, 'position', place, 'sort_order', made_order, 'status', new_status,
      'priority', new_priority, 'owner_id', new_owner, 'tag_id', new_tag, 'due_date', wire_time(new_due),
      'due_is_date', new_due_is_date, 'needs_confirmation', false,
      'is_active', true, 'created_by', actor, 'created_at', wire_time(made_at),
      'texts', case when description_text is not null then '["description"]'::jsonb end)));
end $$;

create or replace function card_payload(c cards, place bigint) returns jsonb language sql stable as $$
  select jsonb_strip_nulls(jsonb_build_object('title', c.title, 'group_id', c.group_id, 'position', place, 'sort_order', c.sort_order,
    'status', c.status, 'priority', c.priority, 'owner_id', c.owner_id, 'tag_id', c.tag_id, 'due_date', wire_time(c.due_date),
    'due_is_date', c.due_is_date, 'snoozed_until', wire_time(c.snoozed_until), 'master_card_id', c.master_card_id, 'unique_identifier', c.unique_identifier,
    'evaluation_check', c.evaluation_check, 'needs_confirmation', c.needs_confirmation, 'tour_key', c.tour_key, 'is_active', c.is_active, 'created_by', c.created_by,
    'created_at', wire_time(c.created_at),
    'texts', nullif(to_jsonb(array_remove(array[case when c.description is not null then 'description' end,
      case when c.short_description is not null then 'short_description' end], null)), '[]'))
    || case when c.evaluated_check = c.evaluation_check then jsonb_build_object('evaluation_passed', c.evaluation_passed,
      'evaluated_at', wire_time(c.evaluated_at), 'evaluated_by', c.evaluated_by) else '{}' end)
$$;
