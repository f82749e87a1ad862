-- When the window itself last said that it is there: a stream stays open for minutes after the network was lost.
alter table presences add column shown_at timestamptz not null default now();
