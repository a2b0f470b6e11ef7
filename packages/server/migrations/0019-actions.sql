-- Actions and automations, their runs, what was said about them.

create table actions (
  org_id text not null,
  key bigint generated always as identity,
  -- what clients see as the action's id; unlike the identifier it never changes
  id text not null,
  identifier text collate "C" not null,
  kind text not null check (kind in ('self-service', 'automation')),
  -- the blueprint of the trigger, by key, so that it follows renames
  blueprint_key bigint,
  -- what people wrote, without the identifier; never with defaults added
  definition jsonb not null,
  -- { execute?, approve? } with team references; null means the defaults
  permissions jsonb,
  version int not null default 1,
  created_at timestamptz not null,
  created_by text not null,
  updated_at timestamptz not null,
  updated_by text not null,
  primary key (org_id, key),
  constraint actions_identifier unique (org_id, identifier),
  foreign key (org_id, blueprint_key) references blueprints (org_id, key)
);
create index actions_by_blueprint on actions (org_id, blueprint_key) where blueprint_key is not null;

create table action_runs (
  org_id text not null,
  id text not null,
  -- rises with each run: the order of lists
  key bigint generated always as identity,
  status text not null
    check (status in ('DRAFT', 'WAITING_FOR_APPROVAL', 'IN_PROGRESS', 'SUCCESS', 'FAILURE', 'DECLINED')),
  status_label text,
  -- null once the action is gone; the snapshot stays
  action_key bigint,
  action_identifier text not null,
  -- { id, title?, icon?, version, definition } of the action as it was when the run was made
  action jsonb not null,
  blueprint text,
  entity text,
  properties jsonb not null,
  source text not null,
  link jsonb not null default '[]',
  summary text,
  external_run_id text,
  -- what was sent, with secrets masked, and what came back
  payload jsonb,
  response jsonb,
  -- { inputsHash, actionVersion, requester, invocation?, agent?, reason?, expiresAt }; kept when the draft is decided
  draft jsonb,
  -- { type: ALL or ANY } where the action asks for approval
  required_approval jsonb,
  -- what the automation was triggered by
  event jsonb,
  -- of pull-style execution: who may claim it, until when it is claimed, whether it was taken for good
  installation_id text,
  claimed_until timestamptz,
  acknowledged_at timestamptz,
  -- when its payload was handed to the backend for the last time
  dispatched_at timestamptz,
  created_by text not null,
  created_by_kind text not null,
  -- the machine credential that ran it on behalf of created_by
  impersonated_by text,
  updated_by text not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  ended_at timestamptz,
  primary key (org_id, id)
);
create index action_runs_by_time on action_runs (org_id, key);
create index action_runs_by_action on action_runs (org_id, action_identifier, key);
create index action_runs_by_entity on action_runs (org_id, blueprint, entity, key) where entity is not null;
create index action_runs_by_person on action_runs (org_id, created_by, key);
create index action_runs_by_external_id on action_runs (org_id, external_run_id) where external_run_id is not null;
create index action_runs_pending on action_runs (org_id, installation_id, key)
  where installation_id is not null and status = 'IN_PROGRESS' and acknowledged_at is null;
create index action_runs_drafts on action_runs (org_id, key) where status = 'DRAFT';

create table action_run_logs (
  org_id text not null,
  run_id text not null,
  key bigint generated always as identity,
  id text not null,
  message text not null,
  created_by text not null,
  created_at timestamptz not null,
  primary key (org_id, run_id, key),
  foreign key (org_id, run_id) references action_runs (org_id, id) on delete cascade
);

create table action_run_approvals (
  org_id text not null,
  run_id text not null,
  user_id text not null,
  -- which gate was decided: the draft, or the approval the action asks for
  gate text not null check (gate in ('DRAFT', 'APPROVAL')),
  state text not null check (state in ('APPROVED', 'DECLINED')),
  description text,
  at timestamptz not null,
  primary key (org_id, run_id, gate, user_id),
  foreign key (org_id, run_id) references action_runs (org_id, id) on delete cascade
);
