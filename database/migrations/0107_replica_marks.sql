-- A row that was just written on the primary, and that a replica shows if it follows this primary (database/replica.ts).
create table replica_marks (
  mark uuid primary key,
  made_at timestamptz not null default now()
);
