-- From the moment of a cancel until the batches that are being worked on have been undone.
alter type push_status add value 'canceling' after 'running';
-- Rollouts that have not ended. The value added above is not named, because it cannot be used before this is committed.
drop index pushes_running;
create index pushes_unfinished on pushes (worked_at) where finished_at is null;

-- The projects among those reached that have deleted their copy of the board.
alter table push_batches add column opted_out_ids bigint[] not null default '{}';

-- Rollouts of this card alone have brought it up to this revision to every project; where one failed, the copy of the board says that it
-- may lack something (synced_version is 0).
alter table master_cards add column rolled_out_revision integer not null default 0;

-- Projects in which the last rollout of a template failed; the reason is in the record of the rollout.
create table rollout_refusals (
  project_id bigint not null references projects,
  master_board_id bigint not null references master_boards,
  primary key (project_id, master_board_id)
);
