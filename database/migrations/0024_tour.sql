-- When a member has closed the tour, which opens by itself until then. It is not new to the members of today.

alter table memberships add column tour_seen_at timestamptz default now();
alter table memberships alter column tour_seen_at drop default;
