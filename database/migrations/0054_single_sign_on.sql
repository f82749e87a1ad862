-- People who came by single sign-on may have no password.
alter table users alter column password_hash drop not null;

-- Which account a person at an identity provider signs in to.
create table sign_on_identities (
  issuer text not null,
  subject text not null,
  user_id bigint not null references users (id) on delete cascade,
  created_at timestamptz not null default now(),
  last_used_at timestamptz not null default now(),
  primary key (issuer, subject)
);
create index sign_on_identities_user on sign_on_identities (user_id);

-- Somebody at the provider has the address of an account. Its owner confirms while signed in that the two belong together.
create table sign_on_links (
  token_hash bytea primary key,
  issuer text not null,
  subject text not null,
  email text not null,
  expires_at timestamptz not null
);
create index sign_on_links_expiry on sign_on_links (expires_at);
