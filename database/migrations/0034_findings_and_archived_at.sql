-- What a check of Cardinal itself found: a code with values, said in the reader's language. `evaluation_detail` stays for the words of
-- other reporters. The sentences that were stored before become findings.
alter table cards add column evaluation_finding jsonb;

with said (sentence, code) as (values
  ('Did not answer within 5 seconds', 'no_answer_in_time'),
  ('The connection failed (no answer)', 'no_connection'),
  ('Redirects to something that is no address', 'redirects_to_no_address'),
  ('Redirects more than 5 times', 'redirects_too_often'),
  ('Leads to an address that is no website', 'not_a_website'),
  ('Leads to an address with credentials', 'has_credentials'),
  ('Leads to a port that is not used for websites', 'not_a_website_port'),
  ('The host does not exist', 'no_such_host'),
  ('Leads to an address that may not be looked at', 'address_not_allowed')
), found as (
  select c.project_id, c.id, case
    when c.evaluation_detail ~ '^Answered \d+$' then jsonb_build_object('code', 'answered', 'status', substring(c.evaluation_detail from '\d+')::integer)
    when said.code is not null then jsonb_build_object('code', said.code)
    when c.evaluation_detail ~ '^The connection failed \(.+\)$'
      then jsonb_build_object('code', 'connection_failed', 'error', substring(c.evaluation_detail from '\((.+)\)$'))
    end as finding
  from cards c left join said on said.sentence = c.evaluation_detail
  where c.evaluated_by is null and c.evaluation_detail is not null
)
update cards c set evaluation_finding = found.finding, evaluation_detail = null
from found where c.project_id = found.project_id and c.id = found.id and found.finding is not null;

-- When a group was archived; null while it is on its board. Cards that rollouts have brought since are counted in the list of archived groups.
alter table groups add column archived_at timestamptz;
update groups set archived_at = updated_at where not is_active;
