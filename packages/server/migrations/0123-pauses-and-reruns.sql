-- phase: expand
-- Pauses of triggers, re-runs from a step, and what runs are found by.

-- A pause outlives the version in which it was made: it names the trigger, not its row.
create table workflow_pauses (
  org_id text not null,
  -- 0: all workflows of the organization
  workflow_key bigint not null,
  -- empty: all triggers of the workflow
  node text collate "C" not null,
  reason text,
  paused_at timestamptz not null,
  paused_by text not null,
  primary key (org_id, workflow_key, node)
);

alter table workflow_runs
  -- the run whose steps it took over
  add column rerun_of text collate "C",
  -- the step at which it began
  add column from_node text collate "C",
  add column trigger_kind text,
  -- the entity that it is about: of its event, or of its form
  add column blueprint text collate "C",
  add column entity text collate "C";

alter table workflow_node_runs
  -- the node run that was carried out, of one that a re-run took over
  add column copied_from text collate "C";

create index workflow_runs_by_entity on workflow_runs (org_id, blueprint, entity, key) where blueprint is not null;
create index workflow_runs_by_rerun on workflow_runs (org_id, rerun_of) where rerun_of is not null;
