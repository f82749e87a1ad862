-- Photos of people: a JPEG of 256 × 256 pixels without metadata.
create table user_photos (
  user_id bigint primary key references users (id) on delete cascade,
  -- Part of its address, which nobody can guess; another photo has another one.
  key text not null unique,
  photo bytea not null
);

-- An account that its owner has closed. Its row stays, without anything about the person, because what they wrote refers to it.
alter table users add column closed_at timestamptz;
