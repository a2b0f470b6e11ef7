-- Credentials that can be restricted, rotated and watched; API tokens of people and programs; sealed secrets.

alter table credentials
  -- what the credential is restricted to; null is no restriction
  add column scopes text[],
  -- which secret is in force: tokens carry it, and end with it
  add column secret_id text not null default '',
  -- the secret before the last rotation, which works until the moment beside it
  add column previous_secret_hash text,
  add column previous_secret_id text,
  add column previous_until timestamptz,
  add column last_used_at timestamptz,
  add column updated_at timestamptz;

-- The token itself is nowhere: it is signed, and this row says whether it still counts.
create table api_tokens (
  org_id text not null,
  id text not null,
  -- the owner: a user, or a credential of the organization
  user_key text,
  client_id text,
  name text not null,
  scopes text[],
  hint text not null,
  secret_id text not null,
  previous_secret_id text,
  previous_until timestamptz,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  last_used_at timestamptz,
  revoked_at timestamptz,
  primary key (org_id, id),
  check ((user_key is null) <> (client_id is null))
);
create unique index api_tokens_name on api_tokens (org_id, coalesce(user_key, client_id), name)
  where revoked_at is null;

create table organization_secrets (
  org_id text not null,
  name text not null,
  description text not null,
  -- `version.key id.nonce.sealed`: AES-256-GCM with a key of the organization
  sealed text not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (org_id, name)
);
