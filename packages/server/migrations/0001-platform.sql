-- Background work. A row is written in the transaction that makes the work necessary, so it exists exactly if the state
-- does. Jobs that run on a schedule belong to no organization: their org_id is empty.

create table jobs (
  org_id text not null,
  id text not null,
  name text not null,
  input jsonb not null,
  -- waiting jobs of one organization with the same name and key become one when a worker takes the first of them
  dedupe_key text,
  state text not null default 'waiting' check (state in ('waiting', 'running', 'dead')),
  -- not before this moment; moved forward after a failure
  run_at timestamptz not null,
  attempt integer not null default 0,
  attempts_max integer not null,
  -- which taking of the job this is: a worker that lost its lease cannot finish what another has taken since
  lease text,
  locked_until timestamptz,
  -- {error, message, at} of the last failure
  last_error jsonb,
  created_at timestamptz not null,
  finished_at timestamptz,
  primary key (org_id, id)
);

create index jobs_waiting on jobs (run_at) where state = 'waiting';
create index jobs_running on jobs (locked_until) where state = 'running';
create index jobs_waiting_by_key on jobs (org_id, name, dedupe_key) where state = 'waiting' and dedupe_key is not null;
create index jobs_dead on jobs (org_id, created_at) where state = 'dead';

create table job_schedules (
  name text not null primary key,
  next_run_at timestamptz not null
);
