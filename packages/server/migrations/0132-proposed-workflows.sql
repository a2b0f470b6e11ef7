-- phase: expand
-- Workflows that tools drew up, which a person saves or dismisses.

create table workflow_proposals (
  org_id text not null,
  -- wfp_…
  id text collate "C" not null,
  key bigint generated always as identity,
  state text not null check (state in ('OPEN', 'ACCEPTED', 'DISMISSED')),
  goal text not null,
  identifier text collate "C" not null,
  -- as it would be saved
  definition json not null,
  -- the workflow and the version that it would change; null for a new one
  workflow_key bigint,
  base_version integer,
  warnings jsonb not null,
  test jsonb,
  questions text[] not null,
  invocation text collate "C",
  call text collate "C",
  agent text collate "C",
  decision jsonb,
  -- authors of what led to it
  text_authors text[] not null,
  created_by text collate "C" not null,
  created_by_kind text not null,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  decided_at timestamptz,
  decided_by text,
  comment text,
  primary key (org_id, id)
);
create unique index workflow_proposals_by_call on workflow_proposals (org_id, invocation, call) where invocation is not null;
create index workflow_proposals_open on workflow_proposals (org_id, key) where state = 'OPEN';
create index workflow_proposals_by_time on workflow_proposals (created_at);
