-- Views that people save by name: for themselves, or for everyone in the project if they have no owner. A deleted one is gone, because it is
-- only a name and the parameters of an address.
create sequence view_ids;
create table saved_views (
  project_id bigint not null references projects,
  id bigint not null default nextval('view_ids'),
  page text not null check (page in ('board', 'my_cards', 'search')),
  board_id bigint,
  owner_id bigint,
  name text not null,
  parameters text not null,
  created_by bigint,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (project_id, id),
  foreign key (project_id, board_id) references boards,
  check ((page = 'board') = (board_id is not null))
);
create index saved_views_id on saved_views (id);
create index saved_views_board on saved_views (project_id, board_id);
