-- Locks several projects for the rest of the transaction, and returns their versions. A caller that waits for a busy project must not
-- keep others from changing the rest, so it has 50 ms to lock each of them, then gives all locks back. From then on it waits for the busy
-- one before it locks any other. Two callers that each hold what the other needs give up in the same way; longer waits are in the order of the ids.
create function lock_projects(projects bigint[]) returns setof project_versions language plpgsql as $$
declare
  usual_timeout constant text := current_setting('lock_timeout');
  -- A single project is waited for at once, because no other is held.
  busy bigint[] := case when cardinality(projects) = 1 then projects else '{}' end;
  missing bigint[];
  late bigint;
begin
  loop
    begin
      late := null;
      perform lock_project(id) from (select unnest(busy) as id order by id) waited;
      -- Usually one statement locks all of them. Those that are missing are being changed, or have no row yet.
      missing := array(
        select unnest(projects) except select free.project_id from (
          select project_id from project_versions where project_id = any(projects) order by project_id
          for no key update skip locked) free
        order by 1);
      if missing <> '{}' then
        perform set_config('lock_timeout', '50ms', true);
        -- All new rows in one statement, which can wait for another one that adds them.
        late := missing[1];
        with added as (
          insert into project_versions (project_id, version) select id, 0 from unnest(missing) id order by id
          on conflict (project_id) do nothing returning project_id)
        select array(select unnest(missing) except select project_id from added order by 1) into missing;
        foreach late in array missing loop
          perform lock_project(late);
        end loop;
        perform set_config('lock_timeout', usual_timeout, true);
      end if;
      return query select * from project_versions where project_id = any(projects);
      return;
    exception when lock_not_available then
      -- PostgreSQL has released the locks, and brought the usual timeout back.
      if late is null then raise; end if;
      busy := busy || late;
    end;
  end loop;
end $$;
