-- What each project received, as far as it received something: {"<project>": {"added": 1, "updated": 2, "kept": 0, "removed": 0}}
alter table rollout_batches add column results jsonb;
