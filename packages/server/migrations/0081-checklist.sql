-- What an organization wants to see no more of its first steps, and when it reached each.

create table checklists (
  org_id text primary key,
  is_dismissed boolean not null default false,
  dismissed_items text[] not null default '{}'
);

create table organization_milestones (
  org_id text not null,
  milestone text not null,
  at timestamptz not null,
  primary key (org_id, milestone)
);
