-- Changes fields of a card in one round trip. The service reads the card, decides what changes and says which row version it has `seen`.
-- Before, the project stayed locked for four round trips, and its writers waited for each other. `changed` has the new values by column.
-- The outcome is 'changed', 'changed meanwhile' if there is no such row version any more, or 'invalid' if the new owner or tag is refused.
create function change_card(project bigint, card bigint, seen text, actor bigint, changed jsonb, payload jsonb, most jsonb,
  out outcome text, out place bigint, out made cards)
set plan_cache_mode = force_generic_plan language plpgsql as $$
declare
  reached bigint := next_version(project);
  old_bytes bigint;
begin
  select * into made from cards where project_id = project and id = card and deleted_at is null and xmin::text = seen;
  if not found then
    perform return_version(project);
    outcome := 'changed meanwhile';
    return;
  end if;
  if changed->>'owner_id' is not null and not exists (
      select from memberships where project_id = project and user_id = (changed->>'owner_id')::bigint)
    or changed->>'tag_id' is not null and not exists (
      select from tags where project_id = project and id = (changed->>'tag_id')::bigint and deleted_at is null and is_active)
  then
    perform return_version(project);
    outcome := 'invalid';
    return;
  end if;
  old_bytes := made.bytes;
  made := jsonb_populate_record(made, changed);
  if changed ? 'status' then made.status_before_evaluation := null; end if;
  if changed ?| array['title', 'short_description', 'description'] then
    update cards set title = made.title, short_description = made.short_description, description = made.description,
        status = made.status, status_before_evaluation = made.status_before_evaluation, owner_id = made.owner_id,
        tag_id = made.tag_id, due_date = made.due_date, due_is_date = made.due_is_date, snoozed_until = made.snoozed_until,
        priority = made.priority, is_active = made.is_active, updated_at = now()
      where project_id = project and id = card returning * into made;
  else
    -- Without the texts, whose words PostgreSQL would collect again.
    update cards set status = made.status, status_before_evaluation = made.status_before_evaluation, owner_id = made.owner_id,
        tag_id = made.tag_id, due_date = made.due_date, due_is_date = made.due_is_date, snoozed_until = made.snoozed_until,
        priority = made.priority, is_active = made.is_active, updated_at = now()
      where project_id = project and id = card returning * into made;
  end if;
  if made.bytes <> old_bytes then perform take_room(project, made.board_id, most, more_bytes => made.bytes - old_bytes); end if;
  perform record_event(project, made.board_id, card, actor, 'card.updated', payload, reached);
  select count(*) into place from cards
    where project_id = project and group_id = made.group_id and deleted_at is null and rank <= made.rank;
  outcome := 'changed';
end $$;
