-- Workflows: definitions by version, runs that are at one node at a time, and what each node gave.

create table workflows (
  org_id text not null,
  key bigint generated always as identity,
  id text collate "C" not null,
  identifier text collate "C" not null,
  current_version integer not null,
  -- the identifier is free again; versions and runs stay until their retention
  deleted_at timestamptz,
  created_at timestamptz not null,
  created_by text not null,
  updated_at timestamptz not null,
  updated_by text not null,
  primary key (org_id, key)
);
create unique index workflows_by_id on workflows (org_id, id);
create unique index workflows_by_identifier on workflows (org_id, identifier) where deleted_at is null;

create table workflow_versions (
  org_id text not null,
  workflow_key bigint not null,
  version integer not null,
  -- wfv_…
  id text collate "C" not null,
  -- as written: nothing filled in, unknown keys and their order kept
  definition json not null,
  hash text not null,
  -- the rights of whoever saved it; its nodes act with what is left of them
  authority jsonb not null,
  text_authors text[] not null,
  note text,
  saved_at timestamptz not null,
  saved_by text not null,
  primary key (org_id, workflow_key, version)
);
create unique index workflow_versions_by_id on workflow_versions (org_id, id);

-- The triggers of the current version.
create table workflow_triggers (
  org_id text not null,
  workflow_key bigint not null,
  node text collate "C" not null,
  kind text not null check (kind in ('SELF_SERVE_TRIGGER', 'EVENT_TRIGGER', 'SCHEDULE_TRIGGER')),
  published boolean not null,
  -- the lists of who may start it, with keys of teams in the place of their names
  permitted jsonb,
  event text,
  blueprint text collate "C",
  property text,
  cron text,
  next_run_at timestamptz,
  primary key (org_id, workflow_key, node)
);
create index workflow_triggers_by_event on workflow_triggers (org_id, blueprint, event)
  where event is not null and published;
create index workflow_triggers_due on workflow_triggers (next_run_at) where next_run_at is not null;

create table workflow_runs (
  org_id text not null,
  -- wfr_…
  id text collate "C" not null,
  key bigint generated always as identity,
  workflow_key bigint not null,
  -- as it was called when the run began
  workflow_identifier text collate "C" not null,
  version integer not null,
  status text not null check (status in ('IN_PROGRESS', 'CANCELLING', 'COMPLETED')),
  result text check (result in ('SUCCESS', 'FAILED', 'CANCELLED')),
  status_label jsonb,
  -- why it ended otherwise than by its last node
  message text,
  -- the one node run at which it is; null before the first
  at_node_run text collate "C",
  -- rises with every transition; each is a compare-and-set on it
  rev integer not null,
  trigger_node text collate "C" not null,
  -- inputs of the form, sealed where encrypted; the event; the tick
  trigger jsonb not null,
  -- the event that started it, so that it starts once
  event_key bigint,
  depth integer not null,
  root_id text collate "C" not null,
  caused_by text collate "C",
  cancel text check (cancel in ('graceful', 'force')),
  cancelled_by text,
  -- steps taken, and bytes of outputs kept
  steps integer not null,
  bytes integer not null,
  authority jsonb not null,
  text_authors text[] not null,
  -- what the person who started it could do then
  requested_with jsonb,
  idempotency_key text collate "C",
  -- what was asked with the key, so that another request with it is refused
  idempotency_hash text,
  created_by text not null,
  created_by_kind text not null,
  impersonated_by text,
  deadline_at timestamptz not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  completed_at timestamptz,
  primary key (org_id, id)
);
create index workflow_runs_by_time on workflow_runs (org_id, key);
create index workflow_runs_by_workflow on workflow_runs (org_id, workflow_key, key);
create index workflow_runs_by_person on workflow_runs (org_id, created_by, key);
create index workflow_runs_open on workflow_runs (org_id, key) where status <> 'COMPLETED';
create unique index workflow_runs_by_event on workflow_runs (org_id, workflow_key, trigger_node, event_key)
  where event_key is not null;
create unique index workflow_runs_by_idempotency_key
  on workflow_runs (org_id, workflow_key, created_by, idempotency_key) where idempotency_key is not null;
create index workflow_runs_ended on workflow_runs (completed_at) where completed_at is not null;

create table workflow_node_runs (
  org_id text not null,
  -- wfnr_…
  id text collate "C" not null,
  run_id text collate "C" not null,
  -- position in its run, from 1
  step integer not null,
  node text collate "C" not null,
  attempt integer not null,
  type text not null,
  phase text not null check (phase in
    ('READY', 'DISPATCHING', 'RETRY_AT', 'WAIT_REPORT', 'WAIT_RESPONSE', 'WAIT_TIME', 'ENDED')),
  result text check (result in ('SUCCESS', 'FAILED', 'CANCELLED')),
  -- of a branching node that has ended
  outlet text,
  -- it failed, and the run goes on all the same
  goes_on boolean not null,
  -- it ends the whole run
  ends_run text check (ends_run in ('SUCCESS', 'FAILED')),
  status_label jsonb,
  message text,
  -- what the node gave, and what its variables made of it; output is null where they are the same
  raw jsonb,
  output jsonb,
  -- the rendered request or form, with secrets masked
  input jsonb,
  links jsonb not null,
  tries integer not null,
  installation_id text collate "C",
  claimed_until timestamptz,
  acknowledged_at timestamptz,
  external_run_id text collate "C",
  -- when it goes on by itself: a wait ends, a try is due, a deadline passes
  due_at timestamptz,
  -- who may respond, as resolved when it began to wait
  responders jsonb,
  created_at timestamptz not null,
  started_at timestamptz,
  ended_at timestamptz,
  primary key (org_id, id)
);
create unique index workflow_node_runs_by_attempt on workflow_node_runs (org_id, run_id, node, attempt);
create unique index workflow_node_runs_by_step on workflow_node_runs (org_id, run_id, step);
create index workflow_node_runs_due on workflow_node_runs (due_at) where due_at is not null;
create index workflow_node_runs_offered on workflow_node_runs (org_id, installation_id, created_at)
  where installation_id is not null and acknowledged_at is null and phase <> 'ENDED';
create index workflow_node_runs_by_external_id on workflow_node_runs (org_id, external_run_id)
  where external_run_id is not null;
create index workflow_node_runs_awaited on workflow_node_runs (org_id, created_at) where phase = 'WAIT_RESPONSE';

create table workflow_responses (
  org_id text not null,
  node_run_id text collate "C" not null,
  responder text collate "C" not null,
  button text not null,
  inputs jsonb not null,
  responded_at timestamptz not null,
  primary key (org_id, node_run_id, responder)
);

-- What happened to a run, in order: the live view and the audit of a run read it; nothing in it changes.
create table workflow_run_events (
  org_id text not null,
  run_id text collate "C" not null,
  -- the rev that the transition led to
  seq integer not null,
  kind text not null,
  node_run_id text collate "C",
  data jsonb not null,
  at timestamptz not null,
  primary key (org_id, run_id, seq)
);

create table workflow_node_run_logs (
  org_id text not null,
  node_run_id text collate "C" not null,
  key bigint generated always as identity,
  level text not null,
  message text not null,
  tags jsonb,
  at timestamptz not null,
  primary key (org_id, node_run_id, key)
);
