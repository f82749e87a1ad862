-- The version that a copy was last brought to as a whole, and for taking a rollout back the one before. `synced_revision` only says what later
-- rollouts need not look at: it is 0 when they have to look at everything again.
alter table boards add column version_revision integer not null default 0, add column version_with bigint, add column previous_version_revision integer;
update boards set version_revision = synced_revision where synced_revision > 0;
