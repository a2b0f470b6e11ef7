-- phase: expand
-- Runs of workflows that calls of tools asked for: what decided each call, and drafts that wait for a person.

create table workflow_run_calls (
  org_id text not null,
  -- wfr_…, of the run that it led to or would lead to
  id text collate "C" not null,
  key bigint generated always as identity,
  state text not null check (state in ('DRAFT', 'STARTED', 'DECLINED')),
  workflow_key bigint not null,
  workflow_identifier text collate "C" not null,
  version integer not null,
  trigger_node text collate "C" not null,
  -- what the run begins with: complete, encrypted ones sealed
  inputs jsonb not null,
  -- null where it ran at once
  draft jsonb,
  invocation text collate "C",
  call text collate "C",
  decision jsonb,
  -- authors of what led to it
  text_authors text[] not null,
  requested_with jsonb not null,
  depth integer not null,
  caused_by text collate "C",
  created_by text collate "C" not null,
  created_by_kind text not null,
  created_at timestamptz not null,
  expires_at timestamptz,
  decided_at timestamptz,
  decided_by text,
  comment text,
  primary key (org_id, id)
);
create unique index workflow_run_calls_by_call on workflow_run_calls (org_id, invocation, call) where invocation is not null;
create index workflow_run_drafts on workflow_run_calls (org_id, key) where state = 'DRAFT';
create index workflow_run_calls_by_time on workflow_run_calls (created_at);
