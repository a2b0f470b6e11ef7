-- How people sign in: passwords, sessions, single sign-on, and what an identity provider says of users and teams.

-- what the provider calls them, and whether it manages them; sign-in and SCIM write these, nobody else
alter table users
  add column external_id text,
  add column managed_by text check (managed_by in ('scim')),
  add column scim_updated_at timestamptz;
alter table teams
  add column external_id text,
  -- whose memberships the team has; null for teams made by hand
  add column provider text check (provider in ('sso', 'scim'));
alter table users add constraint users_external_id unique (org_id, external_id);
alter table teams add constraint teams_external_id unique (org_id, external_id);

create table user_passwords (
  org_id text not null,
  user_key text not null,
  -- argon2id
  hash text not null,
  changed_at timestamptz not null,
  primary key (org_id, user_key)
);

-- A link with which somebody sets a password once.
create table password_links (
  org_id text not null,
  id text not null,
  user_key text not null,
  secret_hash text not null,
  created_at timestamptz not null,
  created_by text not null,
  expires_at timestamptz not null,
  primary key (org_id, id)
);

create table sessions (
  org_id text not null,
  id text not null,
  user_key text not null,
  -- of the secret in the cookie, which is kept nowhere
  secret_hash text not null,
  method text not null check (method in ('password', 'sso')),
  created_at timestamptz not null,
  -- written at most once a minute
  last_seen_at timestamptz not null,
  expires_at timestamptz not null,
  user_agent text not null,
  address text not null,
  primary key (org_id, id)
);
create index sessions_by_user on sessions (org_id, user_key);

create table sso_connections (
  org_id text not null primary key,
  issuer text not null,
  client_id text not null,
  -- null for a public client
  sealed_secret text,
  scopes text[] not null,
  groups_claim text not null,
  -- [{group, team}]: which team a group means, where neither id nor title say it
  group_teams jsonb not null default '[]',
  creates_users boolean not null,
  creates_teams boolean not null,
  domains text[] not null default '{}',
  updated_at timestamptz not null,
  updated_by text not null
);

-- Sign-ins on their way through the provider; taken out when they come back, so that none comes back twice.
create table sso_attempts (
  org_id text not null,
  state_hash text not null,
  browser_hash text not null,
  nonce text not null,
  verifier text not null,
  issuer text not null,
  redirect_uri text not null,
  return_to text not null,
  expires_at timestamptz not null,
  primary key (org_id, state_hash)
);

-- Who a provider's subject is here; an address may change hands, a subject does not.
create table sso_subjects (
  org_id text not null,
  issuer text not null,
  subject text not null,
  user_key text not null,
  created_at timestamptz not null,
  primary key (org_id, issuer, subject),
  constraint sso_subjects_user unique (org_id, issuer, user_key)
);
