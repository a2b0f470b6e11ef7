-- MCP servers of others that an organization connects, and what was decided about each of their tools.

create table mcp_servers (
  org_id text not null,
  identifier text not null,
  title text,
  url text not null,
  -- header names to values, sealed as one text; null where none are sent
  sealed_headers text,
  -- the names alone, for people
  header_names text[] not null default '{}',
  is_enabled boolean not null default true,
  -- who may use its tools: roles, users, teams
  rights jsonb not null,
  protocol_version text,
  -- when the tools were last read, and why they could not be
  checked_at timestamptz,
  problem text,
  created_at timestamptz not null,
  created_by text not null,
  updated_at timestamptz not null,
  updated_by text not null,
  primary key (org_id, identifier)
);

create table mcp_server_tools (
  org_id text not null,
  server text not null,
  name text not null,
  -- as the server described it last: title, description, inputSchema
  definition jsonb not null,
  hash text not null,
  claims_read_only boolean not null,
  warnings text[] not null default '{}',
  -- whether the server still lists it
  is_present boolean not null default true,
  -- the decision of an administrator, and on which definition
  decision text check (decision in ('approve', 'decline')),
  decided_hash text,
  decided_definition jsonb,
  is_read_only boolean not null default false,
  decided_at timestamptz,
  decided_by text,
  primary key (org_id, server, name),
  foreign key (org_id, server) references mcp_servers (org_id, identifier) on delete cascade
);
