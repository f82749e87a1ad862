-- A secret that was begun and never confirmed stops working; those from before have no time and count as expired.
alter table users add column totp_pending_until timestamptz;
