-- phase: expand
-- The entities of a blueprint that were deleted since a moment.
create index concurrently if not exists journal_by_deletion on journal (org_id, (context ->> 'blueprint'), at, key) where resource_type = 'entity' and status = 'SUCCESS' and action = 'DELETE';
