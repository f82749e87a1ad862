-- When a checkout was paid, for receipts; of those that were paid before, only the time of the checkout is known.
alter table checkouts add column paid_at timestamptz;
