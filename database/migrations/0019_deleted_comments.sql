-- without a transaction
-- Finds the comments that were deleted with a card without reading the project's other comments.
drop index concurrently if exists comments_deleted_card;
create index concurrently comments_deleted_card on comments (project_id, card_id) where deleted_at is not null;
