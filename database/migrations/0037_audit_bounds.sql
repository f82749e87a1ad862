-- How long entries of the audit log are kept; each start sets it. The service's own role may neither change it nor delete entries.
create table audit_retention (
  is_only boolean primary key default true check (is_only),
  days integer not null check (days > 0)
);
insert into audit_retention (days) values (365);

-- Deletes some of the entries that are older than that, with the rights of the tables' owner, and returns how many.
create function forget_audit(most integer) returns bigint language sql security definer as $$
  with forgotten as (
    delete from audit_entries where id in (
      select id from audit_entries
      where at < now() - make_interval(days => (select days from audit_retention)) order by at limit most)
    returning id)
  select count(*) from forgotten
$$;
-- Temporary tables last, because the caller could make some with these names.
do $$
begin
  execute format('alter function forget_audit(integer) set search_path = %I, pg_temp', current_schema());
end
$$;

-- Of each user the newest are kept.
drop index ended_sessions_user;
create index ended_sessions_user on ended_sessions (user_id, ended_at);
