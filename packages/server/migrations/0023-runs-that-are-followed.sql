-- Runs that start runs, and workflows whose end becomes that of a run.

alter table action_runs
  -- how many runs, each started by the one before, led to this one
  add column depth int not null default 0,
  -- { org, repo, workflow, ref, since, id? } of the workflow that is looked after
  add column followed jsonb;

-- of two runs that look for the workflow they started, each finds its own
create unique index action_runs_followed
  on action_runs (org_id, (followed ->> 'org'), (followed ->> 'repo'), (followed ->> 'id'))
  where followed ->> 'id' is not null;

create index action_runs_ended on action_runs (org_id, ended_at) where ended_at is not null;
