-- The tags of numbered lists, `<ol start="3">` and `<li value="7">`, are HTML too, where a text has no other (text/write-html.ts).
create or replace function description_format(description text) returns text language sql immutable parallel safe
return case when strpos(description, '</p>') > 0 then 'html'
  when (strpos(description, '</') > 0 or strpos(description, ' />') > 0) and description ~ ('<(b|blockquote|caption|code|del|em|h[1-4]|i|li|ol|p|pre|s|'
  'strong|sub|sup|table|tbody|tfoot|thead|tr|u|ul)>|<[bh]r />|<a( href="[^"<>]*")? rel="noopener nofollow">|'
  '<t[dh]( colspan="[0-9]+")?( rowspan="[0-9]+")?>|<ol start="[0-9]+">|<li value="[0-9]+">') then 'html' else 'text' end;
