-- The deadline of a campaign is the end of a day, as the due date of a card without a time. The cards follow (themes/campaign/following.ts).
update theme_campaigns set deadline = date_trunc('day', deadline at time zone 'UTC') at time zone 'UTC' + interval '1 day' - interval '1 millisecond';
