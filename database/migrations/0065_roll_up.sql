-- How each project stands with the cards of a template: for each card the measures that it counts for (fleet/measures.ts). Kept to know
-- what a project has added to the sums below, so that a change adds only the difference.
create table project_template_states (
  project_id bigint not null references projects,
  master_board_id bigint not null references master_boards,
  -- {"<master card>": ["d", "w2967", "n12"]}
  states jsonb not null,
  primary key (project_id, master_board_id)
);
create index project_template_states_board on project_template_states (master_board_id, project_id);

-- In how many projects each card of a template counts for a measure.
create table template_card_counts (
  master_card_id bigint not null references master_cards on delete cascade,
  measure text not null,
  count integer not null,
  primary key (master_card_id, measure)
);
