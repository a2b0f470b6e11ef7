-- Organizations, and who may act in them.
-- organizations and credential_directory are the only tables that are not part of one organization: they are how a
-- request finds its organization. Every other table's primary key and unique indexes begin with org_id.

create table organizations (
  id text primary key,
  name text not null,
  model text not null check (model in ('legacy', 'beta', 'blueprints')),
  plan text not null check (plan in ('free', 'standard', 'enterprise')),
  -- limits the operator set for this organization; what is absent comes from the plan
  quotas jsonb not null default '{}',
  -- {stage?, operatorUpdated?, scheduledAt?} as the operator set them
  cutover jsonb not null default '{}',
  settings jsonb not null default '{}',
  created_at timestamptz not null,
  updated_at timestamptz not null
);

create table credential_directory (
  client_id text primary key,
  org_id text not null
);

create table credentials (
  org_id text not null,
  client_id text not null,
  secret_hash text not null,
  name text not null,
  role text not null check (role in ('Admin', 'Member')),
  -- the person the credential belongs to; null for the organization's own
  user_key text,
  created_at timestamptz not null,
  revoked_at timestamptz,
  primary key (org_id, client_id)
);

create table users (
  org_id text not null,
  key text not null,
  -- the e-mail address
  identifier text not null,
  title text,
  status text not null check (status in ('Active', 'Invited', 'Staged', 'Disabled')),
  role text not null check (role in ('Admin', 'Moderator', 'Member')),
  type text not null check (type in ('Standard', 'Service Account')),
  moderated_blueprints text[] not null default '{}',
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (org_id, key),
  constraint users_identifier unique (org_id, identifier)
);

-- Entities and permissions hold a team's key; its identifier and title are for the edge.
create table teams (
  org_id text not null,
  key text not null,
  identifier text not null,
  title text not null,
  description text,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (org_id, key),
  constraint teams_identifier unique (org_id, identifier)
);

create table team_members (
  org_id text not null,
  team_key text not null,
  user_key text not null,
  primary key (org_id, team_key, user_key)
);
create index team_members_by_user on team_members (org_id, user_key);
