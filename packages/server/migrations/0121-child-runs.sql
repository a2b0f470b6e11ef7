-- phase: expand
-- Runs that steps of other runs begin, and the wait for them.

alter table workflow_runs
  -- the run and its step that began this one
  add column parent_run text collate "C",
  add column parent_node_run text collate "C",
  -- place among the children of the step, from 0
  add column item_index integer,
  -- of a body that stands inside a step: the way to it through the version's definition
  add column body text[],
  -- how many parents it has
  add column nesting integer not null default 0;
create unique index workflow_runs_by_parent on workflow_runs (org_id, parent_node_run, item_index)
  where parent_node_run is not null;
create index workflow_runs_by_root on workflow_runs (org_id, root_id);

alter table workflow_node_runs
  drop constraint workflow_node_runs_phase_check,
  add constraint workflow_node_runs_phase_check check (phase in ('READY', 'DISPATCHING', 'RETRY_AT', 'WAIT_REPORT',
    'WAIT_RESPONSE', 'WAIT_TIME', 'WAIT_CHILD', 'ENDED'));
