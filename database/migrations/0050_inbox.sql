-- The inbox: what a person is told about in a project. A job follows the events and writes the items, so that writers pay nothing.
create sequence inbox_item_ids;

-- One item per person, reason and thing. More of the same makes it a new item: it gets a new id, so that whoever marks the old one as read
-- does not mark what they have not seen.
create table inbox_items (
  project_id bigint not null references projects,
  id bigint not null default nextval('inbox_item_ids'),
  user_id bigint not null,
  reason text not null check (reason in ('assigned', 'mentioned', 'commented', 'status_changed', 'due_soon', 'overdue',
    'trial_ending', 'template_changed')),
  card_id bigint,
  subscription_id bigint,
  -- Who did it last, and how often it happened since the person read the item.
  actor_id bigint,
  count integer not null default 1,
  comment_id bigint,
  status text,
  -- The due date of the card or the end of the trial; while the thing has another one, the item is not shown.
  ends_at timestamptz,
  occurred_at timestamptz not null default now(),
  read_at timestamptz,
  -- Set when the item was sent by mail; null again with each new id.
  mailed_at timestamptz,
  primary key (project_id, id),
  foreign key (project_id, card_id) references cards on delete cascade,
  foreign key (project_id, subscription_id) references subscriptions on delete cascade,
  check ((card_id is null) <> (subscription_id is null))
);
create unique index inbox_items_card on inbox_items (project_id, card_id, user_id, reason) where card_id is not null;
create unique index inbox_items_subscription on inbox_items (project_id, subscription_id, user_id, reason) where subscription_id is not null;
create index inbox_items_user on inbox_items (project_id, user_id, id);
create index inbox_items_unread on inbox_items (project_id, user_id, id) where read_at is null;

-- Up to which version of each project its events have become inbox items.
create table inbox_positions (
  project_id bigint primary key references projects,
  version bigint not null
);
-- Nobody is told about what happened before there was an inbox.
insert into inbox_positions (project_id, version) select project_id, version from project_versions;

-- What people have chosen for a card. Without a row, or with null, those follow it who are its assignee, created it, commented on it or
-- were mentioned there.
create table card_follows (
  project_id bigint not null,
  card_id bigint not null,
  user_id bigint not null,
  is_following boolean,
  is_muted boolean not null default false,
  primary key (project_id, card_id, user_id),
  foreign key (project_id, card_id) references cards on delete cascade
);

-- Who has been told of a mention: in a comment, or in the description if comment_id is 0. Editing does not tell them again.
create table mentions (
  project_id bigint not null,
  card_id bigint not null,
  comment_id bigint not null,
  user_id bigint not null,
  primary key (project_id, card_id, comment_id, user_id),
  foreign key (project_id, card_id) references cards on delete cascade
);

-- Null until the person's browser has told it; UTC then.
alter table users add column time_zone text;

-- Who is mentioned, each with the name that the text has: [{"user_id": 1, "name": "Ada"}]; null for nobody. On a card: in its description.
alter table comments add column mentions jsonb;
alter table cards add column mentions jsonb;

-- The members among these users, as they are stored in `mentions`; other ids are left out, so that they stay plain text.
create function mentioned_members(project bigint, ids bigint[]) returns jsonb stable language sql as $$
  select jsonb_agg(jsonb_build_object('user_id', u.id, 'name', u.name) order by u.id)
  from memberships m join users u on u.id = m.user_id where m.project_id = project and m.user_id = any(ids)
$$;

drop function create_comment(bigint, bigint, bigint, text, bigint, jsonb);
create function create_comment(project bigint, card bigint, author bigint, words text, parent bigint, most jsonb,
  mentioned bigint[] default '{}', out has_card boolean, out is_parent_valid boolean, out made comments)
set plan_cache_mode = force_generic_plan language plpgsql as $$
declare
  board bigint;
  reached bigint := next_version(project);
begin
  select board_id into board from cards where project_id = project and id = card and deleted_at is null;
  has_card := found;
  is_parent_valid := parent is null or exists (
    select from comments where project_id = project and card_id = card and id = parent and deleted_at is null);
  if not (has_card and is_parent_valid) then
    perform return_version(project);
    return;
  end if;
  insert into comments (project_id, card_id, user_id, comment, parent_comment_id, mentions)
    values (project, card, author, words, parent,
      case when cardinality(mentioned) > 0 then mentioned_members(project, mentioned) end)
    returning * into made;
  perform take_room(project, board, most, more_comment_bytes => octet_length(words), card => card);
  perform record_event(project, board, card, author, 'comment.created',
    jsonb_strip_nulls(jsonb_build_object('comment_id', made.id, 'parent_comment_id', parent)), reached);
end $$;

-- As before (migration 0043), and with the mentions in a changed description.
create or replace function change_card(project bigint, card bigint, seen text, actor bigint, changed jsonb, payload jsonb, most jsonb,
  out outcome text, out place bigint, out made cards)
set plan_cache_mode = force_generic_plan language plpgsql as $$
declare
  reached bigint := next_version(project);
  old_bytes bigint;
begin
  select * into made from cards where project_id = project and id = card and deleted_at is null and xmin::text = seen;
  if not found then
    perform return_version(project);
    outcome := 'changed meanwhile';
    return;
  end if;
  if changed->>'owner_id' is not null and not exists (
      select from memberships where project_id = project and user_id = (changed->>'owner_id')::bigint)
    or changed->>'tag_id' is not null and not exists (
      select from tags where project_id = project and id = (changed->>'tag_id')::bigint and deleted_at is null and is_active)
  then
    perform return_version(project);
    outcome := 'invalid';
    return;
  end if;
  old_bytes := made.bytes;
  made := jsonb_populate_record(made, changed);
  if changed ? 'status' then made.status_before_evaluation := null; end if;
  if changed ?| array['title', 'short_description', 'description'] then
    update cards set title = made.title, short_description = made.short_description, description = made.description,
        mentions = made.mentions, status = made.status, status_before_evaluation = made.status_before_evaluation,
        owner_id = made.owner_id, tag_id = made.tag_id, due_date = made.due_date, due_is_date = made.due_is_date,
        snoozed_until = made.snoozed_until, priority = made.priority, is_active = made.is_active, updated_at = now()
      where project_id = project and id = card returning * into made;
  else
    -- Without the texts, whose words PostgreSQL would collect again.
    update cards set status = made.status, status_before_evaluation = made.status_before_evaluation, owner_id = made.owner_id,
        tag_id = made.tag_id, due_date = made.due_date, due_is_date = made.due_is_date, snoozed_until = made.snoozed_until,
        priority = made.priority, is_active = made.is_active, updated_at = now()
      where project_id = project and id = card returning * into made;
  end if;
  if made.bytes <> old_bytes then perform take_room(project, made.board_id, most, more_bytes => made.bytes - old_bytes); end if;
  perform record_event(project, made.board_id, card, actor, 'card.updated', payload, reached);
  select count(*) into place from cards
    where project_id = project and group_id = made.group_id and deleted_at is null and rank <= made.rank;
  outcome := 'changed';
end $$;
