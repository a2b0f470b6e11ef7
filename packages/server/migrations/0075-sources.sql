-- Sources that Portolan reads itself, what each wrote, and the passes and imports that wrote it.

create table sources (
  org_id text not null,
  key bigint generated always as identity not null,
  identifier text not null,
  type text not null,
  title text not null,
  settings jsonb not null,
  -- by name: {sealed, setAt, lastFour}
  secrets jsonb not null,
  -- resources, as in the configuration of an integration
  mapping jsonb not null,
  deletion text not null,
  schedule_minutes int,
  is_paused boolean not null,
  -- what the last whole pass left for the next one of changes
  state jsonb,
  -- why it does not go on: {code, message, fix}
  problem jsonb,
  -- where its host sends events, and the sealed secret of their proof
  webhook_key text not null,
  webhook jsonb,
  next_sync_at timestamptz,
  authority jsonb,
  created_at timestamptz not null,
  created_by text not null,
  updated_at timestamptz not null,
  updated_by text not null,
  primary key (org_id, key),
  constraint sources_identifier unique (org_id, identifier)
);

-- not unique: keys are drawn at random, and an index of all organizations cannot be distributed by them
create index sources_webhook_key on sources (webhook_key);
create index sources_due on sources (next_sync_at) where next_sync_at is not null and not is_paused;

create table source_syncs (
  org_id text not null,
  key bigint generated always as identity not null,
  id text not null,
  -- null for an import that belongs to no source
  source_key bigint,
  -- full, changes, event or import
  mode text not null,
  is_plan boolean not null,
  status text not null,
  options jsonb not null,
  -- lines of an import that are counted
  lines int not null default 0,
  chunks int not null default 0,
  counts jsonb not null,
  -- where the next page begins; the state to leave when all is read
  cursor jsonb,
  next_state jsonb,
  -- the host said that this was all
  is_whole boolean not null default false,
  note text,
  problem jsonb,
  started_at timestamptz not null,
  touched_at timestamptz not null,
  ended_at timestamptz,
  created_by text not null,
  primary key (org_id, key),
  constraint source_syncs_id unique (org_id, id)
);

create index source_syncs_by_source on source_syncs (org_id, source_key, key);
create index source_syncs_open on source_syncs (touched_at) where ended_at is null;

-- What a source wrote: one row for each entity of an item, and one without entity for an item that makes none.
create table source_items (
  org_id text not null,
  source_key bigint not null,
  item_key text collate "C" not null,
  position int not null,
  entity_key bigint,
  blueprint_key bigint,
  -- of the item as it was read, with what its mapping depends on
  hash bytea,
  -- of the entity, as this source left it
  entity_version bigint,
  -- the last sync that read it, the one that created the entity, and the last one that changed it
  seen_in bigint not null,
  created_in bigint,
  changed_in bigint,
  -- the entity before `changed_in`, until that can no longer be undone
  replaced jsonb,
  gone_since timestamptz,
  primary key (org_id, source_key, item_key, position)
);

create index source_items_by_entity on source_items (org_id, entity_key);

create table source_problems (
  org_id text not null,
  sync_key bigint not null,
  position bigint generated always as identity not null,
  severity text not null,
  code text not null,
  message text not null,
  line int,
  item_key text,
  blueprint text,
  identifier text,
  place jsonb,
  primary key (org_id, sync_key, position)
);

-- Lines whose relations point at entities that may still come.
create table source_waiting (
  org_id text not null,
  sync_key bigint not null,
  line bigint not null,
  position int not null,
  item_key text not null,
  blueprint text not null,
  identifier text not null,
  body jsonb not null,
  targets jsonb not null,
  primary key (org_id, sync_key, line, position)
);

-- What a plan would do.
create table source_changes (
  org_id text not null,
  sync_key bigint not null,
  position bigint generated always as identity not null,
  item_key text not null,
  blueprint text not null,
  identifier text not null,
  change text not null,
  before jsonb,
  after jsonb,
  primary key (org_id, sync_key, position)
);

create index source_changes_by_name on source_changes (org_id, sync_key, blueprint, identifier);
create index source_changes_by_item on source_changes (org_id, sync_key, item_key);
