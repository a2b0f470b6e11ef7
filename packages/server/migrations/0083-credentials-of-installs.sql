-- Credentials made for one installation of a client: they act for that one only.
alter table credentials add column bound_to text;

-- Clients that were installed from the catalogue of source types, and what was made for them.
create table installs (
  org_id text not null,
  installation_id text not null,
  type text not null,
  title text not null,
  -- without secrets, which stay where the client runs
  settings jsonb not null,
  -- names of the settings that are secrets and that the client is given
  secrets text[] not null,
  resync_minutes integer not null,
  client_id text not null,
  -- blueprints that were created or extended, and for created ones the definition
  created jsonb not null,
  created_at timestamptz not null,
  created_by text not null,
  primary key (org_id, installation_id)
);
