-- What new members get from their project, and where its days begin. Null: nothing in particular.
alter table projects add column language text;
alter table projects add column time_zone text;

-- A project can be restored for 30 days after its deletion. Then its content is deleted in steps, and purged_at says that this is done.
alter table projects add column deleted_by bigint references users (id);
alter table projects add column purged_at timestamptz;
create index projects_deleted on projects (deleted_at) where deleted_at is not null and purged_at is null;

-- Somebody wants to sign up with an address. A job looks for an account, so that the answer takes the same time with and without one.
create table sign_up_requests (
  id bigint generated always as identity primary key,
  email text not null,
  language text not null,
  created_at timestamptz not null default now()
);

-- The links that were sent to them.
create table sign_ups (
  token_hash bytea primary key,
  email text not null,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null
);
create index sign_ups_email on sign_ups (lower(email), created_at);
