-- phase: expand
-- Steps that undo what other steps did, once their run fails or is cancelled.

alter table workflow_runs
  -- what it ends as once its steps are compensated
  add column ends_as text check (ends_as in ('SUCCESS', 'FAILED', 'CANCELLED')),
  -- the run of a body whose steps it compensates
  add column compensates text collate "C";
create unique index workflow_runs_by_compensated on workflow_runs (org_id, compensates) where compensates is not null;

alter table workflow_node_runs
  -- the node run that it undoes
  add column compensates text collate "C";
create unique index workflow_node_runs_by_compensated on workflow_node_runs (org_id, compensates)
  where compensates is not null;
