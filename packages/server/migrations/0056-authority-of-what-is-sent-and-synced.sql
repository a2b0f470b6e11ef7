-- Changelog destinations send, and integrations write, with the authority of whoever saved them: {by: {kind, id}, roles,
-- teamKeys, scopes}. Null for what was saved before: a destination then has what its last editor may do today, and an
-- integration that of its own credentials alone, until somebody writes its mapping again.
alter table changelog_destinations add column authority jsonb;
alter table integrations add column authority jsonb;
