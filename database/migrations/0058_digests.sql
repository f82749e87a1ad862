-- When a person gets the next daily mail; null until it is known, and again when the time zone changes. A job takes those who are due.
alter table users add column digest_at timestamptz;
create index users_digest on users (digest_at);

-- Mails that many people get at once wait for the others.
alter table mails add column is_bulk boolean not null default false;
drop index mails_waiting;
create index mails_waiting on mails (is_bulk, send_at) where send_at is not null;
