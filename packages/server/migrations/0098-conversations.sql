-- A conversation is a tree of invocations, named by the first one. Null in all of them for a question that stands alone.
alter table invocations add column conversation_id text;
-- The turn before; null for a first one.
alter table invocations add column parent_id text;
-- The turn that this one edits or repeats.
alter table invocations add column replaces_id text;
-- Turns on its path, itself included.
alter table invocations add column turn integer;
-- What of the earlier turns the model was shown.
alter table invocations add column context_usage jsonb;
-- What later turns are told of its tool calls: one entry for each, with the numbered records that it showed.
alter table invocations add column recalled jsonb;

create index invocations_conversation on invocations (org_id, conversation_id, turn) where conversation_id is not null;

create table conversations (
  org_id text not null,
  -- its first invocation, or of its own if it continues another conversation
  id text not null,
  owner text not null,
  title text not null,
  title_by text not null check (title_by in ('question', 'person')),
  -- the turn that is shown and continued
  head_id text not null,
  turns integer not null,
  agent text,
  pinned_at timestamptz,
  -- encloses what tools said, the same in all turns, so that providers can cache what came before
  fence_mark text not null,
  created_at timestamptz not null,
  asked_at timestamptz not null,
  -- who may read it beside its owner, up to which turn
  shared jsonb,
  -- the turn of another conversation that it continues
  base_id text,
  primary key (org_id, id)
);
create index conversations_of_owner on conversations (org_id, owner, asked_at desc, id);
