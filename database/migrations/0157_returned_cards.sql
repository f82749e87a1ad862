-- When the rollout in received_with brought back a card that another one had deleted, so that taking it back deletes the card again.
alter table cards add column returned_at timestamptz;
