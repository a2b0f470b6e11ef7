-- The data migration that deletes a blueprint with all its entities: until it is over, none is written. On the row that
-- writers hold, so that none of them can miss it.
alter table blueprints add column deletion_id text;

update blueprints b set deletion_id = m.id
from data_migrations m
where m.org_id = b.org_id and m.blueprint_key = b.key and m.kind = 'wipe' and m.delete_blueprint
  and m.status not in ('COMPLETED', 'FAILURE', 'CANCELLED');
