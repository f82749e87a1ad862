-- A plain text keeps words such as `<hostname>`, and searches find them: only the tags that descriptions are written with are no words.
create or replace function search_words(source text) returns text language plpgsql immutable strict parallel safe as $$
begin
  if position('<' in source) > 0 then
    source := regexp_replace(source, '</?(?:a|b|blockquote|br|caption|code|del|em|h[1-4r]|i|li|ol|p|pre|s|strong|su[bp]|t[dhr]|table|tbody|'
      'tfoot|thead|u|ul)(?: [a-z-]+="[^"]*")* ?/?>', ' ', 'g');
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

-- Stores the words of the cards with other tags anew; all others keep the same ones.
update cards set title = title
where title || ' ' || coalesce(short_description, '') || ' ' || coalesce(description, '') ~
  ('</?(?!(?:a|b|blockquote|br|caption|code|del|em|h[1-4r]|i|li|ol|p|pre|s|strong|su[bp]|t[dhr]|table|tbody|tfoot|thead|u|ul)[ />])'
  '[a-z][a-z0-9]*(?: [a-z-]+="[^"]*")* ?/?>');
