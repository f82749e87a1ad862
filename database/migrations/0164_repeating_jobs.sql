-- Every job repeats, so there is one of each kind, and nothing to tell it.
delete from jobs where not repeats;
alter table jobs drop column tenant, drop column input, drop column repeats;
create unique index jobs_kind on jobs (kind);
