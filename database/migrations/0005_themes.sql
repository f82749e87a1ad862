-- Themes of websites. A version of a theme is a project of its own (kind theme_version), whose id is the version's id; what is
-- known about it is kept with the project that owns the theme.

create sequence theme_ids;
create type theme_status as enum ('draft', 'published', 'deprecated');
create type approval_status as enum ('pending', 'approved', 'rejected');

create table themes (
  project_id bigint not null references projects,
  id bigint not null default nextval('theme_ids'),
  name text not null,
  created_by bigint,
  created_at timestamptz not null default now(),
  primary key (project_id, id)
);
create unique index themes_name on themes (project_id, lower(name));
create index themes_id on themes (id);

create table theme_versions (
  project_id bigint not null,
  -- The version's own project.
  id bigint not null references projects,
  theme_id bigint not null,
  version text not null,
  theme_status theme_status not null default 'draft',
  -- Null until it is submitted for review.
  approval_status approval_status,
  rejection_reason text,
  submitted_at timestamptz,
  reviewed_by bigint,
  reviewed_at timestamptz,
  published_at timestamptz,
  deprecated_at timestamptz,
  created_by bigint,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (project_id, id),
  unique (project_id, theme_id, version),
  foreign key (project_id, theme_id) references themes,
  check (theme_status = 'draft' or approval_status is not distinct from 'approved'),
  check ((approval_status is null) = (submitted_at is null)),
  check ((coalesce(approval_status, 'pending') = 'pending') = (reviewed_at is null)),
  check ((approval_status is not distinct from 'rejected') = (rejection_reason is not null)),
  check (theme_status <> 'published' or published_at is not null),
  check ((theme_status = 'deprecated') = (deprecated_at is not null))
);
create index theme_versions_id on theme_versions (id);
create index theme_versions_published on theme_versions (id) where theme_status = 'published';

-- The version that a project's website uses. It may belong to another project, so it is named as the project it is.
create table theme_choices (
  project_id bigint not null references projects,
  version_id bigint not null references projects,
  chosen_by bigint,
  chosen_at timestamptz not null default now(),
  primary key (project_id)
);
create index theme_choices_version on theme_choices (version_id, project_id);
