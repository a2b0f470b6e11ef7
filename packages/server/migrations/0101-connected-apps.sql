-- What people allowed programs that speak MCP to do for them (OAuth 2.1). Deleting a grant ends its codes and tokens.

create table oauth_grants (
  org_id text not null,
  id text not null,
  user_key text not null,
  -- SHA-256 of the client id, which holds the whole registration and is kept nowhere
  client_hash text not null,
  client_name text not null,
  redirect_host text not null,
  -- the only address where its tokens are accepted
  resource text not null,
  scopes text[] not null,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  last_used_at timestamptz,
  primary key (org_id, id),
  unique (org_id, user_key, client_hash),
  foreign key (org_id, user_key) references users (org_id, key) on delete cascade
);

create table oauth_codes (
  org_id text not null,
  id text not null,
  grant_id text not null,
  secret_hash text not null,
  challenge text not null,
  redirect_uri text not null,
  scopes text[] not null,
  expires_at timestamptz not null,
  used_at timestamptz,
  primary key (org_id, id),
  foreign key (org_id, grant_id) references oauth_grants (org_id, id) on delete cascade
);
create index oauth_codes_by_grant on oauth_codes (org_id, grant_id);

create table oauth_tokens (
  org_id text not null,
  id text not null,
  grant_id text not null,
  kind text not null check (kind in ('access', 'refresh')),
  secret_hash text not null,
  scopes text[] not null,
  expires_at timestamptz not null,
  -- when the last token that descends from the same code ends
  chain_ends_at timestamptz not null,
  -- when a refresh token was exchanged; whoever shows it again ends the grant
  used_at timestamptz,
  primary key (org_id, id),
  foreign key (org_id, grant_id) references oauth_grants (org_id, id) on delete cascade
);
create index oauth_tokens_by_grant on oauth_tokens (org_id, grant_id);
