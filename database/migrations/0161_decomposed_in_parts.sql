-- PostgreSQL sorts marks that follow each other in time that grows with the square of their number, and nothing stops it meanwhile: one
-- description of 65,000 marks took 50 s, past every time limit. So text is decomposed in parts; only the order of marks between two parts
-- can differ, and words with spaces or punctuation between them are never divided.
create function search_decomposed(source text) returns text language plpgsql immutable strict parallel safe as $$
begin
  if source !~ '[^\u0001-\u007f]{129}' then
    return normalize(source, nfkd);
  end if;
  return (
    select string_agg(normalize(part[1], nfkd), '' order by number)
    from regexp_matches(source, '[\u0001-\u007f]+|[^\u0001-\u007f]{1,128}', 'g') with ordinality parts (part, number));
end $$;

create or replace function search_fold(text) returns text language sql immutable parallel safe
return case when octet_length($1) = length($1) then lower($1) else
  translate(replace(replace(replace(lower(regexp_replace(
    case when octet_length($1) < 500 then normalize($1, nfkd) else search_decomposed($1) end, '[\u0300-\u036f]+', '', 'g')),
    'ß', 'ss'), 'æ', 'ae'), 'œ', 'oe'), 'øłđ', 'old') end;
