-- Outside sources that keep entities up to date: integrations and what they report, webhooks and what they received.

create table integrations (
  org_id text not null,
  key bigint generated always as identity,
  -- what clients see as `_id`; also the id under which logs and metrics are sent
  id text not null,
  installation_id text collate "C" not null,
  title text,
  version text,
  app_type text,
  -- the mapping, as it was written; null until somebody wrote one
  config jsonb,
  changelog_destination jsonb,
  -- the other fields clients write: flags, origin, spec …; never with defaults added
  details jsonb not null default '{}',
  resync_state jsonb,
  resync_request_id text,
  resync_requested_at timestamptz,
  created_at timestamptz not null,
  created_by text not null,
  updated_at timestamptz not null,
  updated_by text not null,
  primary key (org_id, key),
  constraint integrations_installation unique (org_id, installation_id),
  unique (org_id, id)
);

create table integration_logs (
  org_id text not null,
  integration_key bigint not null,
  key bigint generated always as identity,
  id text not null,
  level text not null check (level in ('DEBUG', 'INFO', 'WARNING', 'ERROR', 'FATAL')),
  message text not null,
  event_id text,
  -- when it happened, by the integration's clock
  at timestamptz not null,
  -- everything else that was sent
  attributes jsonb not null,
  primary key (org_id, integration_key, key),
  foreign key (org_id, integration_key) references integrations (org_id, key) on delete cascade
);
create index integration_logs_by_time on integration_logs (org_id, integration_key, at, key);

-- one row for each kind of a resync
create table integration_syncs (
  org_id text not null,
  integration_key bigint not null,
  event_id text not null,
  kind_identifier text not null,
  sync_state text not null,
  metrics jsonb not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (org_id, integration_key, event_id, kind_identifier),
  foreign key (org_id, integration_key) references integrations (org_id, key) on delete cascade
);

create table integration_examples (
  org_id text not null,
  integration_key bigint not null,
  kind text not null,
  -- [{ _id, data }]: the last raw samples, masked by the client
  examples jsonb not null,
  updated_at timestamptz not null,
  primary key (org_id, integration_key, kind),
  foreign key (org_id, integration_key) references integrations (org_id, key) on delete cascade
);

create table integration_cursors (
  org_id text not null,
  integration_key bigint not null,
  kind text not null,
  index text not null,
  cursor jsonb not null,
  updated_at timestamptz not null,
  primary key (org_id, integration_key, kind, index),
  foreign key (org_id, integration_key) references integrations (org_id, key) on delete cascade
);

-- the share of its entities that an integration may delete in one resync before an administrator is asked
create table integration_delete_guards (
  org_id text not null,
  integration_key bigint not null,
  threshold double precision not null,
  -- of the resync under way: how many entities there were when it began, and how many it has deleted
  began_at timestamptz,
  entities_before int not null default 0,
  entities_deleted int not null default 0,
  -- { id, askedAt, entitiesBefore, entitiesDeleted, refused, datasource } while nobody has decided
  question jsonb,
  -- deletions pass without a count until then
  lifted_until timestamptz,
  primary key (org_id, integration_key),
  foreign key (org_id, integration_key) references integrations (org_id, key) on delete cascade
);

create table webhooks (
  org_id text not null,
  key bigint generated always as identity,
  identifier text collate "C" not null,
  -- the secret part of the address that events are sent to
  ingest_key text not null,
  -- as it was written, without identifier and secret
  definition jsonb not null,
  sealed_secret text,
  created_at timestamptz not null,
  created_by text not null,
  updated_at timestamptz not null,
  updated_by text not null,
  primary key (org_id, key),
  constraint webhooks_identifier unique (org_id, identifier),
  unique (org_id, ingest_key)
);

create table webhook_deliveries (
  org_id text not null,
  webhook_key bigint not null,
  key bigint generated always as identity,
  id text not null,
  -- refused: not let in; dropped: let in and without effect; the others were or will be mapped
  state text not null check (state in ('refused', 'dropped', 'waiting', 'running', 'processed', 'failed')),
  reason text,
  -- { body, headers, queryParams } for whoever replays it; null for what was not let in
  payload jsonb,
  bytes int not null,
  -- what each mapping made of it
  results jsonb,
  replay_of text,
  received_at timestamptz not null,
  processed_at timestamptz,
  -- who is at it, and until when if nothing is heard
  lease text,
  leased_until timestamptz,
  primary key (org_id, webhook_key, key),
  unique (org_id, id),
  foreign key (org_id, webhook_key) references webhooks (org_id, key) on delete cascade
);
create index webhook_deliveries_open on webhook_deliveries (org_id, webhook_key, key) where state in ('waiting', 'running');

-- ids of requests that were let in: a repeated one is dropped
create table webhook_requests (
  org_id text not null,
  webhook_key bigint not null,
  -- a digest: ids may be long
  request text not null,
  at timestamptz not null,
  primary key (org_id, webhook_key, request),
  foreign key (org_id, webhook_key) references webhooks (org_id, key) on delete cascade
);
create index webhook_requests_by_time on webhook_requests (org_id, webhook_key, at);
