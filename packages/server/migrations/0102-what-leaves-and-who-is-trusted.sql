-- What invocations sent to connected servers, noted before it leaves. It says nothing of the values.
create table invocation_egress (
  org_id text not null,
  invocation_id text not null,
  call_id text not null,
  server text not null,
  tool text not null,
  -- the rule that let it go
  rule text not null,
  is_observed boolean not null,
  -- of each argument its name, its bytes and where its value stands
  arguments jsonb not null,
  sent_at timestamptz not null,
  primary key (org_id, invocation_id, call_id)
);

-- Integrations, webhooks and sources whose texts have them as their author instead of `outside`. The key of one that was
-- deleted comes never again, so another with its name is not trusted.
create table trusted_sources (
  org_id text not null,
  kind text not null check (kind in ('integration', 'webhook', 'source')),
  source_key bigint not null,
  identifier text not null,
  trusted_at timestamptz not null,
  trusted_by text not null,
  primary key (org_id, kind, source_key)
);
