-- When a revert deleted a group or board, as of cards: the trash says that the template did it, not who reverted.
alter table groups add column withdrawn_at timestamptz;
alter table boards add column withdrawn_at timestamptz;
