-- Who deleted a tag, so that the trash lists deleted tags as it lists deleted cards.
alter table tags add column deleted_by bigint references users;
update tags t set deleted_by = e.actor_id from events e
  where t.deleted_at is not null and e.project_id = t.project_id and e.kind = 'tag.deleted' and e.kind like 'tag.%'
    and e.data->'tag_id' = to_jsonb(t.id) and e.created_at = t.deleted_at;
create index tags_trash on tags (project_id, deleted_at) where deleted_by is not null;
