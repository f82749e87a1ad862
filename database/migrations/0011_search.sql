-- Text for comparing: small letters without accents, so that "Cafe" finds "Café" and "Strasse" finds "Straße".
-- Not strict: PostgreSQL then makes it part of each statement, which is four times faster.
create function search_fold(text) returns text language sql immutable parallel safe
return case when octet_length($1) = length($1) then lower($1) else
  translate(replace(replace(replace(lower(regexp_replace(normalize($1, nfkd), '[\u0300-\u036f]+', '', 'g')),
    'ß', 'ss'), 'æ', 'ae'), 'œ', 'oe'), 'øłđ', 'old') end;

-- The words of a text with spaces between them, ready to be a tsvector: tags, entities and punctuation are gone, a Chinese or
-- Japanese character is a word of its own, and neither a word nor the whole is longer than a tsvector takes. PostgreSQL's own
-- parser is not used: it needs 88 s for 64 KB of "~/", takes "shop.example/cart" for one word, and depends on the locale.
create function search_words(source text) returns text language plpgsql immutable strict parallel safe as $$
begin
  if position('<' in source) > 0 then
    source := regexp_replace(source, '</?[a-z][a-z0-9]*(?: [a-z-]+="[^"]*")* ?/?>', ' ', 'g');
    if position('&' in source) > 0 then
      source := regexp_replace(source, '&(?:amp|lt|gt|quot|nbsp|#\d+);', ' ', 'g');
    end if;
  end if;
  source := search_fold(source);
  source := regexp_replace(source, '[\u0001-\u001f\u0021-\u002f\u003a-\u0040\u005b-\u0060\u007b-\u00bf\u00d7\u00f7'
    '\u2000-\u2bff\u3000-\u303f\ufe00-\ufe0f\U0001f000-\U0001faff]+', ' ', 'g');
  if octet_length(source) <> length(source) then
    source := left(regexp_replace(source,
      '[\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff\U00020000-\U0003ffff]', ' \& ', 'g'), 200000);
  end if;
  if octet_length(source) > 2000 and source ~ '[^ ]{61}' then
    source := regexp_replace(source, '([^ ]{60})[^ ]+', '\1', 'g');
  end if;
  return source;
end $$;

-- How many bytes boards/get sends of a row at most. The fixed part is its keys, numbers and times. In v1 the board is JSON
-- text inside JSON, where a character that JSON escapes takes up to four bytes.
create function sent_bytes(fixed integer, words text) returns integer language sql immutable parallel safe
as $$ select fixed + 4 * octet_length(words) - 3 * octet_length(translate(words, E'"\\\n\r\t', '')) $$;

-- A new card counts its list and takes the next sort_order: now from the index alone.
drop index cards_rank;

-- Searching reads the words of one project's cards; uncompressed, because unpacking took most of the time. The bytes are for 0012, which
-- adds them where this file was applied without them: in one statement, because each such statement writes every card anew.
alter table cards
  add column words tsvector generated always as (
    search_words(title || ' ' || coalesce(short_description, '') || ' ' || coalesce(description, ''))::tsvector) stored,
  add column bytes integer not null generated always as (sent_bytes(800,
    title || coalesce(description, '') || coalesce(short_description, '') || status || coalesce(unique_identifier, '')
      || coalesce(evaluation_check, '') || coalesce(tour_key, ''))) stored,
  alter column words set storage external;

create unique index cards_rank on cards (project_id, group_id, rank) include (sort_order) where deleted_at is null;
