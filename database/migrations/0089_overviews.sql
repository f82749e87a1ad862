-- The overview of a platform, or of all, once counting it takes long.
create table overviews (
  platform_id bigint references platforms (id),
  overview jsonb not null,
  counted_at timestamptz not null default now(),
  unique nulls not distinct (platform_id)
);
