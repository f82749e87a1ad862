-- What a rollout that has ended says of its batches, so that lists of rollouts need not read them.
alter table rollouts add totals jsonb;
