-- The cutover to the new assistant: who still asks in old forms, and what was done when organizations moved.

create table ai_old_calls (
  org_id text not null,
  -- an actor's id
  caller text not null,
  endpoint text not null check (endpoint in ('router', 'agent')),
  -- empty where the router was asked without one
  agent text not null,
  calls bigint not null,
  last_at timestamptz not null,
  primary key (org_id, caller, endpoint, agent)
);

create table ai_cutover_steps (
  org_id text not null,
  key bigint generated always as identity,
  at timestamptz not null,
  kind text not null check (kind in ('stage', 'schema', 'agent', 'widget')),
  subject text not null,
  details jsonb not null,
  primary key (org_id, key)
);

create index invocations_by_agent on invocations (org_id, agent, asked_at) where agent is not null;
create index invocations_by_person on invocations (org_id, asked_by, asked_at);
