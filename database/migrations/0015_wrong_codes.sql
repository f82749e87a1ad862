-- Wrong codes after a correct password: the sender knows the password, so the account's owner is warned.
create table wrong_codes (
  user_id bigint not null references users on delete cascade,
  -- One row per counted address (a /64 of IPv6).
  address text not null,
  count integer not null,
  last_at timestamptz not null,
  primary key (user_id, address)
);
