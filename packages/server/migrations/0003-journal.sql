-- What happened, written in the transaction that made it happen. The audit log, automations, outgoing webhooks and
-- changelog destinations all read this one table.

create table journal (
  org_id text not null,
  key bigint generated always as identity,
  id text not null,
  at timestamptz not null,
  -- noun then past: entity.updated
  event text not null,
  action text not null check (action in ('CREATE', 'UPDATE', 'DELETE', 'OTHER')),
  status text not null default 'SUCCESS' check (status in ('SUCCESS', 'FAILURE')),
  resource_type text not null,
  identifier text not null,
  -- blueprint, entity, run … the record is about
  context jsonb not null default '{}',
  actor_id text not null,
  actor_kind text not null,
  origin text not null,
  datasource text not null,
  message text,
  before jsonb,
  after jsonb,
  primary key (org_id, key)
);
create index journal_by_time on journal (org_id, at);
create index journal_by_resource on journal (org_id, resource_type, identifier);
