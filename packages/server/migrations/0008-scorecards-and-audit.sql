-- Scorecards are data of a blueprint; what they find stands on each entity. The audit log reads the journal by what it
-- is asked for most: time, identifier, entity, blueprint, run.

create table scorecards (
  org_id text not null,
  key bigint generated always as identity,
  blueprint_key bigint not null,
  identifier text collate "C" not null,
  -- what people wrote, without the identifier; never with defaults added
  definition jsonb not null,
  created_at timestamptz not null,
  created_by text not null,
  updated_at timestamptz not null,
  updated_by text not null,
  primary key (org_id, key),
  constraint scorecards_identifier unique (org_id, blueprint_key, identifier),
  -- a blueprint takes its scorecards along
  foreign key (org_id, blueprint_key) references blueprints (org_id, key) on delete cascade
);

-- scorecard → { level, rules: [{ identifier, status, level }] }, written by the platform alone; absent where not evaluated
alter table entities add column scorecards jsonb not null default '{}';

alter table journal add column additional_data jsonb;
drop index journal_by_time;
drop index journal_by_resource;
create index journal_by_time on journal (org_id, at, key);
create index journal_by_identifier on journal (org_id, identifier, at, key);
create index journal_by_entity on journal (org_id, (context ->> 'entity'), at, key) where context ->> 'entity' is not null;
create index journal_by_blueprint on journal (org_id, (context ->> 'blueprint'), at, key)
  where context ->> 'blueprint' is not null;
create index journal_by_run on journal (org_id, (context ->> 'runId'), at, key) where context ->> 'runId' is not null;
-- refused writes are rare, and asked for by themselves
create index journal_by_failure on journal (org_id, at, key) where status = 'FAILURE';
