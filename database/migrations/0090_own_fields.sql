-- Which fields a project had customized when the last rollout came, as bits in the order of templates/rules.ts: taking the rollout back
-- leaves them, also where the project's value is the one that the rollout brought.
alter table boards add column own_fields smallint not null default 0;
alter table groups add column own_fields smallint not null default 0;
alter table cards add column own_fields smallint not null default 0;
