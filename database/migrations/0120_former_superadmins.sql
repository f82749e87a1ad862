-- What a superadmin did for a project stays without their name when they are no superadmin any more (events/shown-name.ts).
alter table users add column was_superadmin boolean not null default false;
