-- What a plan was asked for, so that it can be planned again after it has expired.
alter table rollouts add column request jsonb;
