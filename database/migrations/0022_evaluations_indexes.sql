-- without a transaction
-- Finds the cards of a check in a project.
drop index concurrently if exists cards_check;
create index concurrently cards_check on cards (project_id, evaluation_check)
  where evaluation_check is not null and deleted_at is null;
