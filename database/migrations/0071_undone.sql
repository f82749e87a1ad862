-- A rollout may pause by itself when customers undo it.
alter table rollouts add column stop_after_undone integer;
