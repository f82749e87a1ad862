-- A rollout can reset fields of a card that projects customized, to what they last received of it.
alter type rollout_kind add value 'reset';
alter table rollouts add column reset_fields jsonb;
