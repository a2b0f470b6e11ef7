-- Work on all entities of a blueprint, in the background: deleting them, or mapping each to entities.

create table data_migrations (
  org_id text not null,
  -- grows with time: the newest have the greatest
  key bigint generated always as identity,
  id text not null,
  kind text not null check (kind in ('wipe', 'map')),
  -- the blueprint's identifier as it was asked for: the record outlives the blueprint
  source_blueprint text not null,
  blueprint_key bigint not null,
  mapping jsonb not null default '{}',
  status text not null check (status in ('INITIALIZING', 'PENDING', 'RUNNING', 'PENDING_CANCELLATION', 'COMPLETED',
    'FAILURE', 'CANCELLED')),
  delete_blueprint boolean not null default false,
  success_count bigint not null default 0,
  failure_count bigint not null default 0,
  -- entities up to this key are done; those made later are not its business
  last_key bigint not null default 0,
  until_key bigint not null default 0,
  message text,
  -- who asked, as the entities' history will show
  actor jsonb not null,
  created_at timestamptz not null,
  created_by text not null,
  updated_at timestamptz not null,
  updated_by text not null,
  primary key (org_id, id)
);
create index data_migrations_by_time on data_migrations (org_id, key);
