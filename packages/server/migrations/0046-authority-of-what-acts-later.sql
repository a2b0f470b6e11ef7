-- What acts later keeps the authority it was saved with: {by: {kind, id}, roles, teamKeys, scopes}. Null for what was saved
-- before; then it is what its last editor may do today.
alter table actions add column authority jsonb;
alter table webhooks add column authority jsonb;

alter table action_runs
  -- that of the action as it was when the run was made
  add column authority jsonb,
  -- what whoever asked for the run could do then
  add column requested_with jsonb,
  -- who changed the inputs of a draft
  add column edited_by text[] not null default '{}';
