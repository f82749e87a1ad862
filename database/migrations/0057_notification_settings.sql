-- How people want to be told, by reason: only in the app, also by mail, or not at all. Without a row the usual way counts (inbox/settings.ts).
create table notification_settings (
  user_id bigint not null references users on delete cascade,
  -- A reason of inbox_items, or `digest` for the daily mail.
  reason text not null,
  way text not null check (way in ('app', 'mail', 'off')),
  primary key (user_id, reason)
);

-- The people who get a mail about their unread items, and when. A table of its own, so that a job finds them without looking at any project.
create table inbox_mails (
  user_id bigint primary key references users on delete cascade,
  due_at timestamptz not null
);
create index inbox_mails_due on inbox_mails (due_at);

-- Part of the address that ends mails; made with the first of them.
alter table users add column unsubscribe_key uuid unique;

-- Replies, and invitations that were accepted, which are about neither a card nor a subscription but about who accepted (actor_id).
alter table inbox_items drop constraint inbox_items_reason_check;
alter table inbox_items add constraint inbox_items_reason_check check (reason in ('assigned', 'mentioned', 'replied', 'commented',
  'status_changed', 'due_soon', 'overdue', 'trial_ending', 'template_changed', 'invitation_accepted'));
alter table inbox_items drop constraint inbox_items_check;
alter table inbox_items add constraint inbox_items_check
  check (num_nonnulls(card_id, subscription_id) = case reason when 'invitation_accepted' then 0 else 1 end);
