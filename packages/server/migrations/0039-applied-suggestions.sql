-- Suggestions of the migration of users and teams that were applied, with what was there before.
create table people_migration_suggestions (
  org_id text not null,
  migration_id text not null,
  item_id text not null,
  -- which document: {kind, identifier, title, blueprint}
  resource jsonb not null,
  -- [{pointer, before, after}]; what was not there is absent
  places jsonb not null,
  applied_at timestamptz not null,
  applied_by text not null,
  primary key (org_id, migration_id, item_id)
);
