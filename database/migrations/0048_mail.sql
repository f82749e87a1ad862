-- Mails that wait to be sent, and for a while those that were. One is added in the transaction of what causes it, and sent after the commit.
create table mails (
  id bigint generated always as identity primary key,
  -- Part of the Message-ID and the same at every attempt, so that mail programs recognize a mail that comes twice.
  key uuid not null default gen_random_uuid(),
  kind text not null,
  to_address text not null,
  language text not null,
  -- The values of its text; empty once it was sent.
  content jsonb not null,
  -- The secret of its link, encrypted; null once it was sent.
  secret text,
  created_at timestamptz not null default now(),
  -- From then on it is of no use and not sent.
  expires_at timestamptz not null,
  attempts integer not null default 0,
  -- When the next attempt is due; null if there is none.
  send_at timestamptz default now(),
  sent_at timestamptz,
  -- Why the last attempt failed.
  error text
);
create index mails_waiting on mails (send_at) where send_at is not null;
create index mails_created on mails (created_at);

-- Somebody wants to reset the password of an address. A job looks for the account, so that the answer takes the same time with and without one.
create table password_reset_requests (
  id bigint generated always as identity primary key,
  email text not null,
  -- The language of the browser, for people who have not chosen one.
  language text not null,
  address text not null,
  request_id uuid not null,
  created_at timestamptz not null default now()
);

create table password_resets (
  token_hash bytea primary key,
  user_id bigint not null references users (id) on delete cascade,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null
);
create index password_resets_user on password_resets (user_id);

-- A new address that its owner has not confirmed yet.
create table email_changes (
  user_id bigint primary key references users (id) on delete cascade,
  token_hash bytea not null unique,
  email text not null,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null
);

-- The devices that an account was used on: a hash of network and program. People are told of a sign-in on another one.
create table seen_devices (
  user_id bigint not null references users (id) on delete cascade,
  key bytea not null,
  last_at timestamptz not null default now(),
  primary key (user_id, key)
);
