-- Data migrations that can be followed, run again for what failed, and undone.

alter table data_migrations drop constraint data_migrations_kind_check;
alter table data_migrations add constraint data_migrations_kind_check check (kind in ('wipe', 'map', 'undo'));
alter table data_migrations
  -- what is written: the identifier as it was, and the key; null where nothing but the source is touched
  add column target_blueprint text,
  add column target_key bigint,
  -- the migration that is undone, or run again for the entities it left
  add column origin_id text,
  -- entities there were to work on when it began
  add column total_count bigint not null default 0,
  -- why somebody cancelled it
  add column reason text;

create index data_migrations_going_on on data_migrations (org_id, blueprint_key)
  where status not in ('COMPLETED', 'FAILURE', 'CANCELLED');

-- Entities that a migration could not map, or could not bring back.
create table data_migration_failures (
  org_id text not null,
  migration_id text not null,
  entity_key bigint not null,
  identifier text not null,
  code text not null,
  message text not null,
  details jsonb,
  primary key (org_id, migration_id, entity_key)
);

-- What entities were before a migration wrote them, as long as it may be undone.
create table data_migration_images (
  org_id text not null,
  migration_id text not null,
  entity_key bigint not null,
  identifier text not null,
  -- the entity it was made from
  source_key bigint not null,
  -- null: the migration made it
  before jsonb,
  -- the version the migration left; -1 if somebody else wrote between two writes of the migration
  version bigint not null,
  undone_by text,
  primary key (org_id, migration_id, entity_key)
);
