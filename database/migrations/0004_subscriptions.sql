-- Subscriptions of projects to products, the checkouts that pay for them, and which messages of payment providers were taken.

create sequence subscription_ids;
create sequence checkout_ids;

create type subscription_status as enum ('trialing', 'active', 'past_due', 'canceled', 'expired');
create type billing_period as enum ('month', 'year');
create type payment_gateway as enum ('stripe', 'sandbox');
create type checkout_status as enum ('opening', 'open', 'paid', 'expired');

create table subscriptions (
  project_id bigint not null references projects,
  id bigint not null default nextval('subscription_ids'),
  product text not null,
  -- Null until it is paid for.
  plan text,
  period billing_period,
  -- A trial whose end has come is expired for every reader, before the job has written it here (billing/subscription.ts).
  status subscription_status not null,
  trial_ends_at timestamptz,
  current_period_ends_at timestamptz,
  cancels_at_period_end boolean not null default false,
  -- Who is paid through, and what the provider calls customer and subscription.
  gateway payment_gateway,
  customer_reference text,
  subscription_reference text,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (project_id, id)
);
-- One at a time; those that were canceled are history.
create unique index subscriptions_product on subscriptions (project_id, product) where status <> 'canceled';
create index subscriptions_id on subscriptions (id);
create index subscriptions_trial_end on subscriptions (trial_ends_at) where status = 'trialing';
create index subscriptions_sandbox_end on subscriptions (current_period_ends_at)
  where gateway = 'sandbox' and status in ('active', 'past_due');

create table checkouts (
  project_id bigint not null,
  id bigint not null default nextval('checkout_ids'),
  subscription_id bigint not null,
  gateway payment_gateway not null,
  plan text not null,
  period billing_period not null,
  -- In the currency's smallest unit, as of the moment the checkout was made.
  amount integer not null,
  currency text not null,
  -- opening: written before the provider is asked for a session, so that asking again asks for the same one.
  status checkout_status not null default 'opening',
  -- Random: the provider's idempotency key, and what its messages name this checkout by.
  key text not null default gen_random_uuid()::text,
  session_id text,
  url text,
  expires_at timestamptz,
  created_at timestamptz not null default now(),
  primary key (project_id, id),
  foreign key (project_id, subscription_id) references subscriptions
);
create unique index checkouts_live on checkouts (project_id, subscription_id) where status in ('opening', 'open');
create index checkouts_subscription on checkouts (project_id, subscription_id, id);
create index checkouts_session on checkouts (session_id) where session_id is not null;

-- Messages of payment providers that were carried out: each is sent until it is answered, so it may come twice.
create table payment_events (
  id text primary key,
  received_at timestamptz not null default now()
);
create index payment_events_age on payment_events (received_at);
