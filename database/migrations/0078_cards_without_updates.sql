-- Whether rollouts change the copy of a template card; a project can stop that for a single card.
alter table cards add column takes_updates boolean not null default true;
