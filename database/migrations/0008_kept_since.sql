-- What was deleted since then can be brought back; of what was deleted before, the words are gone.
create function kept_since() returns timestamptz language sql stable as $$ select now() - interval '30 days' $$;
