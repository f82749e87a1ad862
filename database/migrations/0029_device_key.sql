-- Signs the cookies of devices that have signed in before (identity/devices.ts). All instances share it.
create table signing_keys (
  purpose text primary key,
  key bytea not null
);
insert into signing_keys (purpose, key)
values ('device', sha256(convert_to(gen_random_uuid()::text || gen_random_uuid()::text, 'UTF8')));
