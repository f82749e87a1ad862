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
