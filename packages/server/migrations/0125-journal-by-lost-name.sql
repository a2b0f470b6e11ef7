-- phase: expand
-- When a name of an entity ended: its deletion, or the renaming that gave it another one. Few records have either.
create index concurrently if not exists journal_by_lost_name on journal (org_id, (context ->> 'blueprint'), (coalesce(context ->> 'renamedFrom', context ->> 'entity')), at, key) where resource_type = 'entity' and status = 'SUCCESS' and (action = 'DELETE' or context ->> 'renamedFrom' is not null);
