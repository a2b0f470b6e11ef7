-- Model providers that organizations connect beside those of the operator, and what invocations cost.

create table llm_providers (
  org_id text not null,
  -- `port` for the operator's own models
  provider text not null,
  is_enabled boolean not null,
  -- names of secrets, never their values
  config jsonb not null,
  -- {model: {enabled}}
  models jsonb not null,
  created_at timestamptz not null,
  created_by text not null,
  updated_at timestamptz not null,
  updated_by text not null,
  primary key (org_id, provider)
);

create table llm_defaults (
  org_id text not null,
  provider text not null,
  model text not null,
  created_at timestamptz not null,
  created_by text not null,
  updated_at timestamptz not null,
  updated_by text not null,
  primary key (org_id)
);

-- Of runs whose cost is known, and how many there are of which it is not.
alter table ai_usage add column cost_usd numeric not null default 0;
alter table ai_usage add column uncosted bigint not null default 0;

-- When question, answer and events were removed; the figures stay.
alter table invocations add column content_removed_at timestamptz;
create index invocations_with_content on invocations (org_id, replied_at) where content_removed_at is null;
