-- Which board each open window shows, and which description is edited in it. A window is known by the id of its event stream. Rows live for
-- seconds and are prolonged while the stream is open, so nothing is lost if they are: after a crash the table is empty.
create unlogged table presences (
  project_id bigint not null,
  user_id bigint not null,
  stream_id text not null,
  board_id bigint not null,
  editing_card_id bigint,
  expires_at timestamptz not null,
  primary key (project_id, user_id, stream_id)
);
