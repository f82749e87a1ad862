-- When a rollout deleted this copy along with its template card. It counts only while it equals deleted_at: once the project restores
-- or deletes the copy itself, the copy is the project's own matter.
alter table cards add column withdrawn_at timestamptz;

-- The revision with which the card was last deleted in every project; copies of earlier revisions were deleted there.
alter table master_cards add column withdrawn_revision integer not null default 0;
