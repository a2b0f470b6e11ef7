-- phase: expand
-- Compensations that failed are carried out again. `compensates` names what undoes a step now, so that its unique indexes
-- hold; of an attempt that another one follows it moves to `failed_to_compensate`.

alter table workflow_runs
  add column failed_to_compensate text collate "C",
  -- who had failed compensations carried out again, last
  add column repeated_by text;

alter table workflow_node_runs
  add column failed_to_compensate text collate "C",
  -- the idempotency key of its calls where it is not its own id
  add column call_key text collate "C";

create index workflow_node_runs_by_failed_compensation on workflow_node_runs (org_id, failed_to_compensate)
  where failed_to_compensate is not null;
