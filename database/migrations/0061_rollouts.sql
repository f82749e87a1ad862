-- What was called a push is a rollout everywhere; only the paths and fields of the contract keep the word.
alter table pushes rename to rollouts;
alter table push_batches rename to rollout_batches;
alter table rollout_batches rename column push_id to rollout_id;
alter type push_kind rename to rollout_kind;
alter type push_status rename to rollout_status;
alter sequence pushes_id_seq rename to rollouts_id_seq;
alter index pushes_board rename to rollouts_board;
alter index pushes_platform rename to rollouts_platform;
alter index pushes_unfinished rename to rollouts_unfinished;
alter index push_batches_open rename to rollout_batches_open;
alter table rollouts rename constraint pushes_pkey to rollouts_pkey;
alter table rollouts rename constraint pushes_board_id_fkey to rollouts_board_id_fkey;
alter table rollouts rename constraint pushes_card_id_fkey to rollouts_card_id_fkey;
alter table rollouts rename constraint pushes_of_platform to rollouts_of_platform;
alter table rollout_batches rename constraint push_batches_pkey to rollout_batches_pkey;
alter table rollout_batches rename constraint push_batches_push_id_fkey to rollout_batches_rollout_id_fkey;

-- Their events too. Removals have recorded the deletion of a card.
update events set kind = case kind when 'template.pushed' then 'template.rolled_out' else kind end,
  data = jsonb_strip_nulls((data - 'push_id' - 'push_kind')
    || jsonb_build_object('rollout_id', data->'push_id', 'rollout_kind', data->'push_kind'))
  where kind = 'template.pushed' or (kind = 'card.deleted' and data ? 'push_id');
