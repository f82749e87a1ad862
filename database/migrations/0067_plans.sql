-- A plan is a rollout that has not begun: its version and projects are pinned, and what each project would receive is kept.
alter type rollout_status add value 'planning' before 'running';
alter type rollout_status add value 'planned' before 'running';

alter table rollouts
  -- True if it goes to chosen projects only.
  add column is_partial boolean not null default false,
  -- The revision of the newest version when it was planned; later versions make the plan be looked at again. Null if it was not planned.
  add column planned_newest integer,
  add column planned_at timestamptz,
  -- The sums of the plan: {"counts": {…}, "things": […]}
  add column plan jsonb;

alter table rollout_batches
  -- What each project would receive, and the version of the project that this is true for: {"<project>": {…}}
  add column planned jsonb,
  -- The sums of these, by outcome and by thing of the template.
  add column planned_counts jsonb,
  add column planned_things jsonb,
  -- The projects that received something else than planned, because they or the template changed in between.
  add column differs_ids bigint[] not null default '{}',
  -- How long the batch took, by which the time of the next rollouts is estimated.
  add column milliseconds integer;
