-- Who reacts to what is noted in the journal: automations and changelog destinations.

-- Events that somebody has yet to react to. Written by the statement that writes the record, so that a reader sees all
-- of them or none, in whatever order transactions end (decision 0034); deleted when the reaction is stored.
create table event_deliveries (
  org_id text not null,
  -- automations, or changelog
  consumer text not null,
  -- which of them: the key of an automation, the name of a destination
  target text not null,
  event_key bigint not null,
  -- automations are read by event, receivers each by themselves
  primary key (org_id, consumer, event_key, target)
);
create index event_deliveries_by_target on event_deliveries (org_id, consumer, target, event_key);

-- What an automation that is not paused waits for: the type of event, and the action or property it is about.
alter table actions
  add column listens_to text generated always as (
    case when kind = 'automation' and coalesce(definition ->> 'publish', 'true') <> 'false'
      then definition #>> '{trigger,event,type}' end) stored,
  add column listens_about text generated always as (
    coalesce(definition #>> '{trigger,event,actionIdentifier}', definition #>> '{trigger,event,propertyIdentifier}')) stored;
create index actions_listening on actions (org_id, listens_to, blueprint_key) where listens_to is not null;

alter table action_runs
  -- the run on whose behalf the change was made that led to this one
  add column caused_by text,
  -- how many runs of automations led to this one, itself included; unlike depth, also over changes of entities
  add column chain_depth int not null default 0,
  -- the event that an automation ran for
  add column event_id text;
create unique index action_runs_by_event on action_runs (org_id, action_key, event_id) where event_id is not null;

-- Whether changes of its entities are sent to an address of its own.
alter table blueprints
  add column has_changelog boolean generated always as (
    coalesce(definition #>> '{changelogDestination,type}' = 'WEBHOOK'
      and coalesce(definition #>> '{changelogDestination,agent}', 'false') <> 'true', false)) stored;

-- Where an organization sends everything that changes.
create table changelog_destinations (
  org_id text not null,
  id text not null,
  type text not null check (type in ('WEBHOOK')),
  url text not null,
  -- resource types that are sent; null for all
  resources jsonb,
  is_enabled boolean not null default true,
  created_at timestamptz not null,
  created_by text not null,
  updated_at timestamptz not null,
  updated_by text not null,
  primary key (org_id, id)
);

-- How it goes with a receiver, of the organization or of a blueprint.
create table changelog_receivers (
  org_id text not null,
  target text not null,
  -- somebody sends to it until then
  busy_until timestamptz,
  failures int not null default 0,
  failing_since timestamptz,
  -- not before this moment
  next_attempt_at timestamptz,
  last_error text,
  last_sent_at timestamptz,
  primary key (org_id, target)
);
