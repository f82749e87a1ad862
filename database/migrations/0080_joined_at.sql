-- When a removed member had joined, so that undoing the removal leaves unread what was written since then.
alter table removed_members add column joined_at timestamptz;
