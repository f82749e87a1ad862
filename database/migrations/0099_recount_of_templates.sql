-- Set when copies of a template's cards stop or begin to be template cards; the figures of its projects are counted anew then (fleet/follower.ts).
alter table master_boards add column recount_due boolean not null default false;
