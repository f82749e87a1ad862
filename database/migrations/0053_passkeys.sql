-- Passkeys: people sign in with one alone, without password and code.
create table passkeys (
  id bigint generated always as identity primary key,
  user_id bigint not null references users (id) on delete cascade,
  -- The id that the authenticator gave it.
  credential bytea not null unique,
  -- As the authenticator encodes it (COSE).
  public_key bytea not null,
  -- How often it has signed, if the authenticator counts; else 0.
  counter bigint not null,
  name text not null,
  -- Whether it is also on other devices of the person.
  is_synced boolean not null,
  created_at timestamptz not null default now(),
  last_used_at timestamptz
);
create index passkeys_user on passkeys (user_id);

-- A challenge is signed and not stored, so that strangers cannot fill a table. One that was used is noted until it expires.
create table used_challenges (
  challenge bytea primary key,
  expires_at timestamptz not null
);
create index used_challenges_expiry on used_challenges (expires_at);
insert into signing_keys (purpose, key)
values ('passkey', sha256(convert_to(gen_random_uuid()::text || gen_random_uuid()::text, 'UTF8')));

-- The passkey that opened a session; it counts as two factors until the passkey is removed.
alter table sessions add column passkey_id bigint references passkeys (id) on delete set null;
create index sessions_passkey on sessions (passkey_id) where passkey_id is not null;
