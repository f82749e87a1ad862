-- Orders are checkouts that are paid by bank transfer: they have a term of days, and are booked by hand.
alter type payment_gateway add value 'invoice';

-- `created_by` chose the plan; null where a renewal was placed by the service.
alter table checkouts add column created_by bigint references users (id);
alter table checkouts add column reminded_at timestamptz;
create index checkouts_id on checkouts (id);
create index checkouts_key on checkouts (key);
create index checkouts_due on checkouts (expires_at) where status = 'open';

-- For the periods of every gateway that does not report them itself.
drop index subscriptions_sandbox_end;
create index subscriptions_period_end on subscriptions (current_period_ends_at) where status in ('active', 'past_due');
