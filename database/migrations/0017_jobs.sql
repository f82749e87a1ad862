-- Work in the background. A job that is done is deleted; one that repeats gets its next time instead.
create table jobs (
  id bigint generated always as identity primary key,
  kind text not null,
  -- There is one job of each kind that repeats.
  repeats boolean not null default false,
  -- The tenant that the job is for. A tenant has one job at a time, so it cannot keep others waiting.
  tenant text,
  input jsonb not null default '{}',
  -- When it is due: never, if it is dead and does not repeat.
  run_at timestamptz not null default now(),
  attempts integer not null default 0,
  -- The instance that works on it renews this. Once it has passed, another one may take the job.
  taken_until timestamptz,
  -- Another one with each attempt, so that an instance which has lost the job cannot end it.
  holder uuid,
  error text,
  dead_at timestamptz
);
create unique index jobs_repeating on jobs (kind) where repeats;
create index jobs_due on jobs (run_at);
create index jobs_of_tenant on jobs (tenant) where holder is not null;
create index jobs_dead on jobs (dead_at) where dead_at is not null;
