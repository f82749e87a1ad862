-- What the list of all subscriptions shows, finds and sums up. Counted with the other figures of a project, for the same reasons;
-- fleet/subscriptions.ts says how.
create table subscription_figures (
  project_id bigint not null references projects,
  id bigint not null,
  platform_id bigint not null references platforms,
  -- The version of the project that is counted here.
  version bigint not null,
  -- The project's name in lower case.
  name_key text not null,
  product text not null,
  plan text,
  period billing_period,
  status subscription_status not null,
  -- The end of the trial, or of the period that is paid; infinity for none, so that these come last.
  ends_at timestamptz not null,
  cancels_at_period_end boolean not null,
  -- What it brings in a month, in the smallest unit of the currency, and from when to when; null if nothing was ever paid.
  month_amount integer,
  currency text,
  paid_from timestamptz,
  paid_until timestamptz,
  -- False for one that the project has replaced by a newer one of the same product, and in deleted projects.
  is_current boolean not null,
  primary key (project_id, id)
);
create index subscription_figures_id on subscription_figures (id);
create index subscription_figures_by_end on subscription_figures (ends_at, id) where is_current;
create index subscription_figures_by_name on subscription_figures (name_key, id) where is_current;
