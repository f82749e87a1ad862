-- As before, but each card gets its new rank once: joined as a subquery, the ranks were given anew for every card that the
-- planner looked them up for, and a short list came out in another order.
create or replace function respace_cards(project bigint, list bigint) returns void language plpgsql as $$
begin
  perform from groups where project_id = project and id = list for update;
  with fresh as materialized (
    select id, list_end() as rank from (
      select id from cards where project_id = project and group_id = list order by rank) ordered
  )
  update cards set rank = fresh.rank, is_moved = true from fresh
    where cards.project_id = project and cards.id = fresh.id;
end $$;
