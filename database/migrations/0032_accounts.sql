-- Superadmins need two-factor authentication, except those of the demo on this machine.
alter table users add column is_demo boolean not null default false;
update users set is_demo = true where lower(email) in (
  'superadmin@cardinal.test', 'owner@acme.test', 'admin@acme.test', 'member@acme.test', 'viewer@acme.test', 'secure@acme.test',
  'owner@blue.test', 'owner@cedar.test', 'german@acme.test', 'superadmin@nordwind.test', 'owner@elm.test');

-- A session ends at expires_at, which each use moves on, and at ends_at however often it is used.
alter table sessions
  add column ends_at timestamptz not null default 'infinity',
  -- When its user last proved to know the password.
  add column password_at timestamptz not null default now();
update sessions set password_at = created_at;

-- Why sessions have ended, for as long as people may still come back with their tokens.
create table ended_sessions (
  token_hash bytea primary key,
  user_id bigint not null references users on delete cascade,
  reason text not null,
  ended_at timestamptz not null default now()
);
create index ended_sessions_ended on ended_sessions (ended_at);
create index ended_sessions_user on ended_sessions (user_id);
