-- Suggestions that people accepted while they planned: the migration of users and teams writes them right after the flip.
create table people_migration_acceptances (
  org_id text not null,
  item_id text not null,
  -- {before, edits}: what was accepted, and nothing else is written
  suggested jsonb not null,
  accepted_at timestamptz not null,
  accepted_by text not null,
  -- what the last run made of it
  state text not null default 'due' check (state in ('due', 'applied', 'refused')),
  -- why it was refused
  message text,
  primary key (org_id, item_id)
);
