-- without a transaction
-- The filters of the audit log by person and IP address each read one page from an index.
drop index concurrently if exists audit_entries_account;
create index concurrently audit_entries_account on audit_entries (account_id, at, id) where account_id is not null;
drop index concurrently if exists audit_entries_address;
create index concurrently audit_entries_address on audit_entries (address, at, id) where address is not null;
drop index concurrently if exists audit_entries_email;
create index concurrently audit_entries_email on audit_entries (lower(details ->> 'email'), at, id) where details ->> 'email' is not null;
