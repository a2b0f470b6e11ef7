-- Blueprints are data, entities are rows of one table, relations are edges kept beside them.

create table blueprints (
  org_id text not null,
  key bigint generated always as identity,
  identifier text not null,
  -- what people wrote, without the identifier; never with defaults added
  definition jsonb not null,
  -- rights on the blueprint's entities; null means the defaults
  permissions jsonb,
  is_system boolean not null default false,
  version bigint not null default 1,
  created_at timestamptz not null,
  created_by text not null,
  updated_at timestamptz not null,
  updated_by text not null,
  primary key (org_id, key),
  constraint blueprints_identifier unique (org_id, identifier)
);

create table entities (
  org_id text not null,
  blueprint_key bigint not null,
  -- grows with time: ordering by it is ordering by creation
  key bigint generated always as identity,
  identifier text collate "C" not null,
  title text,
  icon text,
  -- written by people and integrations; unset properties are absent
  properties jsonb not null default '{}',
  -- relation key → identifier or list of identifiers, in the order written; unset relations are absent
  relations jsonb not null default '{}',
  -- written by the platform alone: mirror, calculation and aggregation values by property key
  derived jsonb not null default '{}',
  -- team keys as written on the entity; '?name' is a reference that resolved to no team and grants nothing
  own_team_refs text[] not null default '{}',
  -- the teams that own it in effect: its own, or inherited
  team_refs text[] not null default '{}',
  version bigint not null default 1,
  datasource text not null,
  -- when a writer last confirmed it, also without a change
  seen_at timestamptz not null,
  created_at timestamptz not null,
  created_by text not null,
  updated_at timestamptz not null,
  updated_by text not null,
  primary key (org_id, key),
  constraint entities_identifier unique (org_id, blueprint_key, identifier)
);
create index entities_by_blueprint on entities (org_id, blueprint_key, key);

create table entity_relations (
  org_id text not null,
  source_key bigint not null,
  relation text not null,
  target_key bigint not null,
  source_blueprint_key bigint not null,
  position integer not null,
  primary key (org_id, source_key, relation, target_key)
);
create index entity_relations_by_target on entity_relations (org_id, target_key, relation, source_key);
