-- Progress and results of a rollout are sums over its batches. These counts are beside the lists, so that no list has to be read for them.
create function count_of_keys(object jsonb) returns integer language sql immutable parallel safe
as $$ select count(*)::integer from jsonb_object_keys(object) $$;

create function count_of_others(ids bigint[], known bigint[]) returns integer language sql immutable parallel safe
as $$ select count(*)::integer from unnest(ids) id where id <> all(known) $$;

alter table rollout_batches
  add projects integer not null generated always as (cardinality(project_ids)) stored,
  add changed integer not null generated always as (cardinality(changed_ids)) stored,
  add no_access integer not null generated always as (cardinality(no_access_ids)) stored,
  add opted_out integer not null generated always as (cardinality(opted_out_ids)) stored,
  add opted_out_only integer not null generated always as (count_of_others(opted_out_ids, changed_ids)) stored,
  add failed integer not null generated always as (count_of_keys(failures)) stored,
  add differs integer not null generated always as (cardinality(differs_ids)) stored;
