-- Where the website of a project is, and when it was last looked at; null: never, or not at this address.
alter table projects add column website_url text, add column website_checked_at timestamptz;
create index projects_website_due on projects (website_checked_at nulls first)
  where website_url is not null and deleted_at is null and kind = 'customer';

-- A passed check leaves the card `to_check`, so that a person closes it.
alter table master_cards add column needs_confirmation boolean not null default false;
alter table master_card_revisions add column needs_confirmation boolean not null default false;

-- The last result of the card's check. It counts only while `evaluated_check` equals `evaluation_check`, which a rollout may change.
-- `evaluated_at` and `evaluated_by` say who reported this result first; null: Cardinal itself. `status_before_evaluation` is set
-- while the card has the status that a passed check gave it.
alter table cards
  add column needs_confirmation boolean not null default false,
  add column evaluated_check text,
  add column evaluation_passed boolean,
  add column evaluation_detail text,
  add column evaluated_at timestamptz,
  add column evaluated_by bigint,
  add column status_before_evaluation text;

-- In how many projects the copy of a template card passes or fails its check. Projects are spread over slots, so that they seldom
-- wait for each other; a page about a template adds up at most 64 rows per card.
create table evaluation_counts (
  master_card_id bigint not null references master_cards,
  slot smallint not null,
  passed bigint not null,
  failed bigint not null,
  primary key (master_card_id, slot)
);

-- Events of created and restored cards carry all that a client needs to show them.
create or replace function card_payload(c cards, place bigint) returns jsonb language sql stable as $$
  select jsonb_strip_nulls(jsonb_build_object('title', c.title, 'group_id', c.group_id, 'position', place, 'sort_order', c.sort_order,
    'status', c.status, 'priority', c.priority, 'owner_id', c.owner_id, 'tag_id', c.tag_id, 'due_date', wire_time(c.due_date),
    'snoozed_until', wire_time(c.snoozed_until), 'master_card_id', c.master_card_id, 'unique_identifier', c.unique_identifier,
    'evaluation_check', c.evaluation_check, 'needs_confirmation', c.needs_confirmation, 'tour_key', c.tour_key, 'is_active', c.is_active, 'created_by', c.created_by,
    'created_at', wire_time(c.created_at),
    'texts', nullif(to_jsonb(array_remove(array[case when c.description is not null then 'description' end,
      case when c.short_description is not null then 'short_description' end], null)), '[]'))
    || case when c.evaluated_check = c.evaluation_check then jsonb_build_object('evaluation_passed', c.evaluation_passed,
      'evaluated_at', wire_time(c.evaluated_at), 'evaluated_by', c.evaluated_by) else '{}' end)
$$;
