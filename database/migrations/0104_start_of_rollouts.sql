-- When a rollout began, which may be long after it was planned. Null for a plan, and until the time for which it was applied.
alter table rollouts add column started_at timestamptz;
update rollouts p set started_at = case when planned_at is null then created_at else (
  select min(b.done_at) from rollout_batches b where b.rollout_id = p.id and b.planned is not null) end
where status not in ('planning', 'planned');
alter table rollouts alter column started_at set default now();
