-- without a transaction
-- Whoever reads a board looks for superadmins among those who made something on it (events/shown-name.ts).
drop index concurrently if exists users_superadmins;
create index concurrently users_superadmins on users (id) where superadmin or was_superadmin;
