-- A comment, or a reply to one. A reply to a reply keeps the parent that was sent; clients draw one level.
create or replace function create_comment(project bigint, card bigint, author bigint, words text, parent bigint, most jsonb,
  out has_card boolean, out is_parent_valid boolean, out made comments)
language plpgsql set plan_cache_mode = force_generic_plan as $$
declare
  board bigint;
  reached bigint := next_version(project);
begin
  select board_id into board from cards where project_id = project and id = card and deleted_at is null;
  has_card := found;
  is_parent_valid := parent is null or exists (
    select from comments where project_id = project and card_id = card and id = parent and deleted_at is null);
  if not (has_card and is_parent_valid) then
    perform return_version(project);
    return;
  end if;
  insert into comments (project_id, card_id, user_id, comment, parent_comment_id) values (project, card, author, words, parent)
    returning * into made;
  perform take_room(project, board, most, more_comment_bytes => octet_length(words), card => card);
  perform record_event(project, board, card, author, 'comment.created',
    jsonb_strip_nulls(jsonb_build_object('comment_id', made.id, 'parent_comment_id', parent)), reached);
end $$;

-- A new card at the end of a group, with a tag that is active, or of the first group of the first active board. One call, because it is one round trip, and a
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
  is_tag_valid := new_tag is null or exists (
    select from tags where project_id = project and id = new_tag and deleted_at is null and is_active);
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
