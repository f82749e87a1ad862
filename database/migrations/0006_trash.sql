-- The trash is read from the events that tell of deletions, the newest first; they are few among all events.
create index events_deletions on events (project_id, id)
  where kind in ('board.deleted', 'group.deleted', 'card.deleted');
