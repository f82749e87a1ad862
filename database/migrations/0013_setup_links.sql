-- Links with which the first superadmin sets up an installation that has no users yet; each start prints a new one.

create table setup_links (
  token_hash bytea primary key,
  expires_at timestamptz not null
);
