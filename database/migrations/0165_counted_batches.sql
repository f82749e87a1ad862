-- Whether the figures have followed all that a batch changed, so that how old they are is read from the first batch that they have not. Those from
-- before this are taken for counted.
alter table rollout_batches add column is_counted boolean not null default true;
alter table rollout_batches alter column is_counted set default false;
create index rollout_batches_uncounted on rollout_batches (done_at) where not is_counted and changed > 0;
