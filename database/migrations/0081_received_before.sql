-- The rollouts that changed the copy of a card before the last one, the newest first, so that taking one of them back can say
-- why the card stays. Null for what they did before this was remembered.
alter table cards add column received_before bigint[];
