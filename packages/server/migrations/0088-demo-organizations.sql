-- A demo organization stands beside the organization whose people look at it and remove it.
alter table organizations add column demo_of text;
-- One at a time; the one before may still be going.
alter table organizations add column removal_requested_at timestamptz;
create unique index organizations_demo on organizations (demo_of)
  where demo_of is not null and removal_requested_at is null;

-- The session of the own organization from which somebody entered the demo.
alter table sessions add column entered_from text;

-- Organizations that were removed: their rows are deleted again for some days, since what was being written
-- while they were removed may come after.
create table removed_organizations (
  id text primary key,
  removed_at timestamptz not null
);
