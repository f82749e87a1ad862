-- without a transaction
-- The comments that were deleted with a card, without all others of its project.
drop index concurrently if exists comments_deleted_card;
create index concurrently comments_deleted_card on comments (project_id, card_id) where deleted_at is not null;
