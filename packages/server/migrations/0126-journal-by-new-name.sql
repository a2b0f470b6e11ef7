-- phase: expand
-- When an entity took a name by being renamed.
create index concurrently if not exists journal_by_new_name on journal (org_id, (context ->> 'blueprint'), (context ->> 'entity'), at, key) where resource_type = 'entity' and status = 'SUCCESS' and context ->> 'renamedFrom' is not null;
