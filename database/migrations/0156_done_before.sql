-- When the cards were done that do not count as done because they, or their project, are deleted: {"<master card>": ["w2967", "n12"]}.
-- Kept so that they count for the same week and the same number of days when they are back.
alter table project_template_states add column done_before jsonb not null default '{}';
