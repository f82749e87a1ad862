-- without a transaction
-- Finds the cards of a project that are due soon or have just become overdue, for reminders.
drop index concurrently if exists cards_due;
create index concurrently cards_due on cards (project_id, due_date) where due_date is not null and deleted_at is null;
