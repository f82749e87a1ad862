-- A rollout may reach its projects in stages, wait between them, and be paused by hand or by itself.
alter type rollout_status add value 'waiting' after 'running';
alter type rollout_status add value 'paused' after 'waiting';

alter table rollouts
  -- As they were asked for; null for a rollout to all projects at once.
  add column stages jsonb,
  -- The last stage that has begun; 0 before the first.
  add column stage integer not null default 1,
  -- When the next stage begins by itself; null while none waits, or if somebody has to start it.
  add column next_stage_at timestamptz,
  add column starts_at timestamptz,
  add column pause_reason text,
  add column stop_after_failures integer;

alter table rollout_batches add column stage integer not null default 1;

-- Instances look for stages that are due.
create index rollouts_waiting on rollouts (next_stage_at) where next_stage_at is not null;
