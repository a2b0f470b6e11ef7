-- The migration of users and teams to blueprints: its record, what people chose before it, what was there before.

-- `frozen`: teams are not written until the flip; `flipping`: nobody keeps what a token stands for, since the model
-- is about to change
alter table organizations add column migration_phase text check (migration_phase in ('frozen', 'flipping'));

create table people_migrations (
  org_id text not null,
  -- grows with time: the newest has the greatest
  key bigint generated always as identity,
  id text not null,
  status text not null check (status in ('PENDING', 'RUNNING', 'COMPLETED', 'FAILED', 'BLOCKED', 'ROLLED_BACK')),
  stage text not null,
  from_model text not null check (from_model in ('legacy', 'beta')),
  -- who asked for it
  actor jsonb not null,
  choices jsonb not null default '{}',
  counts jsonb not null default '{}',
  blockers jsonb not null default '[]',
  -- what is left to do after the flip: [{blueprintKey, names}], and relations to clear
  follow_up jsonb not null default '{}',
  message text,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  flipped_at timestamptz,
  finished_at timestamptz,
  -- until when it can be undone
  undo_until timestamptz,
  primary key (org_id, id)
);

-- one at a time in an organization
create unique index people_migrations_open on people_migrations (org_id) where status in ('PENDING', 'RUNNING');

create table people_migration_choices (
  org_id text not null primary key,
  choices jsonb not null,
  updated_at timestamptz not null,
  updated_by text not null
);

create table people_migration_images (
  org_id text not null,
  migration_id text not null,
  kind text not null,
  -- identifier of the blueprint, key of the team …
  name text not null,
  before jsonb,
  after jsonb,
  primary key (org_id, migration_id, kind, name)
);

-- Teams that entities named beside a relation that decided; what the relation held follows from the teams.
create table people_migration_teams (
  org_id text not null,
  migration_id text not null,
  entity_key bigint not null,
  own_team_refs text[] not null,
  primary key (org_id, migration_id, entity_key)
);

-- which blueprints have entities with teams
create index entities_with_own_teams on entities (org_id, blueprint_key, key) where own_team_refs <> '{}';
