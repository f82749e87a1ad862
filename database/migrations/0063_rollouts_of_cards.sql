-- without a transaction
-- The history of a card has the rollouts that updated it, whose events are those of its board.
drop index concurrently if exists events_of_rollouts;
create index concurrently events_of_rollouts on events (project_id, board_id, id) where kind = 'template.rolled_out';
