-- What agents may run by themselves: one shape of one version of an action, for one version of an agent.

create table ai_standing_approvals (
  org_id text not null,
  id text collate "C" not null,
  agent text collate "C" not null,
  -- digest of what the agent is told to do
  agent_version text not null,
  -- never that of another action with its name
  action_id text not null,
  action text not null,
  action_version bigint not null,
  -- null where the action has no entity
  entity jsonb,
  inputs jsonb not null,
  max_per_hour integer not null,
  expires_at timestamptz not null,
  given_at timestamptz not null,
  given_by text not null,
  revoked_at timestamptz,
  revoked_by text,
  primary key (org_id, id)
);
create index ai_standing_approvals_by_agent on ai_standing_approvals (org_id, agent, given_at);

-- Each run that one of them let go.
create table ai_standing_uses (
  org_id text not null,
  approval_id text collate "C" not null,
  run_id text collate "C" not null,
  used_at timestamptz not null,
  primary key (org_id, approval_id, run_id)
);
create index ai_standing_uses_by_time on ai_standing_uses (org_id, approval_id, used_at);
