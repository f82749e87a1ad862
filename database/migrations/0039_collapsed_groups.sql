-- Groups that a person has collapsed or expanded for themselves. Without a row, the group's own is_collapsed holds.
create table collapsed_groups (
  project_id bigint not null,
  group_id bigint not null,
  user_id bigint not null,
  is_collapsed boolean not null,
  primary key (project_id, user_id, group_id),
  foreign key (project_id, group_id) references groups on delete cascade
);

-- For deleting a group with what people have collapsed.
create index collapsed_groups_group on collapsed_groups (project_id, group_id);

-- The cards that a deleted tag was removed from, which get it back if it is restored.
alter table tags add column removed_from bigint[];
