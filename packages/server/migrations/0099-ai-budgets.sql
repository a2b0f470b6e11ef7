-- Budgets of the assistant for an organization, its teams, people and agents, and what counts against them.

create table ai_budgets (
  org_id text not null,
  scope text not null check (scope in ('organization', 'team', 'user', 'agent')),
  -- key of the team, identifier of the user or of the agent, `all` of the organization
  subject text collate "C" not null,
  period text not null check (period in ('day', 'month')),
  -- limits; null does not limit
  requests bigint,
  tokens bigint,
  usd numeric,
  action text not null check (action in ('stop', 'warn')),
  warn_at numeric not null,
  -- the first day that is counted
  counted_since text collate "C" not null,
  updated_at timestamptz not null,
  updated_by text not null,
  primary key (org_id, scope, subject, period),
  check (num_nonnulls(requests, tokens, usd) > 0)
);

-- What was used on a day of UTC, with what is set aside for runs that are going on. Only for who has a budget. All rows of
-- a month are changed with the month's row of `ai_usage` locked.
create table ai_budget_days (
  org_id text not null,
  scope text not null,
  subject text collate "C" not null,
  day text collate "C" not null,
  requests bigint not null default 0,
  tokens bigint not null default 0,
  usd numeric not null default 0,
  -- runs whose cost is not known
  uncosted bigint not null default 0,
  primary key (org_id, scope, subject, day)
);

-- Requests that count against budgets, until the usage of their runs is booked.
create table ai_charges (
  org_id text not null,
  -- of its reservation
  id text not null,
  -- once it is accepted
  invocation text,
  day text collate "C" not null,
  -- `scope/subject` of each that it counts for
  subjects text[] not null,
  -- set aside
  tokens bigint not null,
  usd numeric not null,
  primary key (org_id, id)
);
create index ai_charges_by_invocation on ai_charges (org_id, invocation) where invocation is not null;

alter table ai_settlements add column charge text;

-- So that every crossing is told once.
create table ai_budget_warnings (
  org_id text not null,
  scope text not null,
  subject text collate "C" not null,
  period text not null,
  starts_on text collate "C" not null,
  state text not null check (state in ('near', 'spent')),
  warned_at timestamptz not null,
  primary key (org_id, scope, subject, period, starts_on, state)
);

-- The last runs of an agent tell what the next one will need.
create index invocations_ended_by_agent on invocations (org_id, agent, asked_at) where state <> 'running';
