-- What was deleted and still has its words; what was emptied long ago is never looked at again.
drop index boards_deleted, groups_deleted, tags_deleted, cards_deleted, comments_deleted;
create index boards_deleted on boards (deleted_at) where deleted_at is not null and title <> '';
create index groups_deleted on groups (deleted_at) where deleted_at is not null and title <> '';
create index tags_deleted on tags (deleted_at) where deleted_at is not null and name <> '';
create index cards_deleted on cards (deleted_at) where deleted_at is not null and title <> '';
create index comments_deleted on comments (deleted_at) where deleted_at is not null and comment <> '';
-- The history of one board, group or tag, wherever it is told.
create index events_of_boards on events (project_id, (data->'board_id')) where kind like 'board.%';
create index events_of_groups on events (project_id, (data->'group_id')) where kind like 'group.%';
create index events_of_tags on events (project_id, (data->'tag_id')) where kind like 'tag.%';
-- The replies to a comment and the cards with a tag, without all others of the project.
create index comments_parent on comments (project_id, parent_comment_id) where parent_comment_id is not null;
create index cards_tag on cards (project_id, tag_id) where tag_id is not null;
