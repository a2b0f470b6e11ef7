-- phase: expand
-- What workflows tell people in the portal, and why a run went back apart from what it did not undo.

create table notices (
  org_id text not null,
  user_key text not null,
  -- ntc_…
  id text collate "C" not null,
  key bigint generated always as identity,
  -- the idempotency key of the step that told it: a step that is repeated tells nobody twice
  about text collate "C" not null,
  workflow text collate "C" not null,
  workflow_title text,
  run_id text collate "C" not null,
  started_by text not null,
  subject text not null,
  -- null once it is dismissed, as is the link
  body text,
  link text,
  created_at timestamptz not null,
  read_at timestamptz,
  dismissed_at timestamptz,
  primary key (org_id, user_key, about),
  unique (org_id, id),
  foreign key (org_id, user_key) references users (org_id, key) on delete cascade
);
create index notices_newest on notices (org_id, user_key, key) where dismissed_at is null;
create index notices_by_time on notices (created_at);

-- {"message": …}: what a run said before it said which compensations failed; null where it does not say so
alter table workflow_runs add column message_before jsonb;

update workflow_runs set message_before = jsonb_build_object('message', nullif(regexp_replace(
    substring(message from '^(.*)Not undone, because its compensation failed: '), '\. $', ''), ''))
  where message like '%Not undone, because its compensation failed: %';
