-- Invocations of the assistant and its agents: a durable record with an event log, and the ledger of limits.

create table invocations (
  org_id text not null,
  -- the identifier of its entity in _ai_invocations
  id text not null,
  state text not null check (state in ('running', 'completed', 'failed')),
  -- who asked: an actor's id
  asked_by text not null,
  -- tells a repetition from another request
  request_hash text not null,
  prompt text not null,
  labels jsonb not null default '{}',
  idempotency_key text,
  agent text,
  provider text not null,
  model text not null,
  prompt_version text not null,
  response text,
  error_code text,
  error_message text,
  -- {inputTokens, outputTokens, steps, toolCalls, isLanguageModel, durationMs}
  usage jsonb,
  cancelled_by text,
  -- the process that runs it, and when it last said so
  runner text not null,
  heartbeat_at timestamptz not null,
  asked_at timestamptz not null,
  replied_at timestamptz,
  primary key (org_id, id),
  constraint invocations_idempotency_key unique (org_id, asked_by, idempotency_key)
);
create index invocations_by_time on invocations (org_id, asked_at);
create index invocations_running on invocations (heartbeat_at) where state = 'running';

-- Events in the batches they were committed in: [[sequence, name, data], …]. json, not jsonb: what a tool answered is
-- kept as it was, with characters that jsonb refuses.
create table invocation_events (
  org_id text not null,
  invocation_id text not null,
  first_sequence integer not null,
  last_sequence integer not null,
  events json not null,
  primary key (org_id, invocation_id, first_sequence)
);

-- What was used in a month, and in each minute of the last hour; the row of the month is the lock of a reservation.
create table ai_usage (
  org_id text not null,
  period text not null check (period in ('month', 'minute')),
  starts_at timestamptz not null,
  requests bigint not null default 0,
  tokens bigint not null default 0,
  primary key (org_id, period, starts_at)
);
