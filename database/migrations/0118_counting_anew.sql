-- A rollout that paused by itself and is resumed counts anew: these failures, and what was undone until then, do not count again.
alter table rollouts add column failures_before integer not null default 0, add column undone_after timestamptz;
