-- Runs that an assistant or an agent started or proposed.

alter table action_runs
  -- { id, call, agent? } of the invocation and of its tool call
  add column invocation jsonb;

-- a call of a tool is carried out once, and the runs of an invocation are found by it
create unique index action_runs_of_invocation
  on action_runs (org_id, (invocation ->> 'id'), (invocation ->> 'call')) where invocation is not null;
