-- phase: expand
-- What node runs wait for in this organization, and triggers that others call or that ended runs are.

create table workflow_waits (
  org_id text not null,
  node_run_id text collate "C" not null,
  -- the run of an action whose end is awaited
  action_run text collate "C",
  -- or an event of an entity
  event text,
  blueprint text collate "C",
  property text,
  created_at timestamptz not null,
  primary key (org_id, node_run_id)
);
create index workflow_waits_by_action_run on workflow_waits (org_id, action_run) where action_run is not null;
create index workflow_waits_by_blueprint on workflow_waits (org_id, blueprint) where blueprint is not null;

alter table workflow_triggers
  drop constraint workflow_triggers_kind_check,
  add constraint workflow_triggers_kind_check check (kind in
    ('SELF_SERVE_TRIGGER', 'EVENT_TRIGGER', 'SCHEDULE_TRIGGER', 'WEBHOOK_TRIGGER', 'RUN_TRIGGER'));

-- Where others start runs; the name is all that is secret of the address.
create table workflow_hooks (
  org_id text not null,
  workflow_key bigint not null,
  node text collate "C" not null,
  name text collate "C" not null,
  created_at timestamptz not null,
  primary key (org_id, workflow_key, node)
);
create unique index workflow_hooks_by_name on workflow_hooks (org_id, name);

-- the try whose call was begun, where a call that was cut off must not be repeated
alter table workflow_node_runs add column begun_try integer;
