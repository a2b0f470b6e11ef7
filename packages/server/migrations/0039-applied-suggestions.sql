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

-- Relations to teams that the migration removed, while what integrations write under them is understood as teams.
create table old_team_relations (
  org_id text not null,
  blueprint_key bigint not null,
  relation text not null,
  until timestamptz not null,
  primary key (org_id, blueprint_key, relation)
);

-- who still writes them, noted once a minute at most
create table old_team_relation_uses (
  org_id text not null,
  blueprint_key bigint not null,
  relation text not null,
  datasource text not null,
  first_seen timestamptz not null,
  last_seen timestamptz not null,
  primary key (org_id, blueprint_key, relation, datasource)
);
