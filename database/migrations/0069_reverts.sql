-- What a rollout brought can be taken back: a copy remembers which one changed it last, and what it had before.
alter type rollout_kind add value 'revert';
alter table rollouts add column reverts_id bigint references rollouts on delete cascade;
create index rollouts_reverts on rollouts (reverts_id) where reverts_id is not null;
-- Null for what came with the creation of a project, or before this was remembered.
alter table boards add column received_with bigint, add column previous_revision integer;
alter table groups add column received_with bigint, add column previous_revision integer;
alter table cards add column received_with bigint, add column previous_revision integer;
