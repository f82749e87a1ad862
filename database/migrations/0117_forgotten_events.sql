-- Up to this event the old ones of a project were looked at, and those that nobody needs were deleted (events/forgetting.ts).
alter table project_versions add column forgotten_until bigint not null default 0;
