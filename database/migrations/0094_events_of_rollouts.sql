-- without a transaction
-- The page of a project lists also the deletions of rollouts, whose events are those of cards and boards.
drop index concurrently if exists events_by_rollouts;
create index concurrently events_by_rollouts on events (project_id, board_id, id) where kind = 'template.rolled_out' or data ? 'rollout_id';
drop index concurrently if exists events_of_rollouts;
