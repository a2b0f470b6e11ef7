-- Organizations whose users and teams are blueprints know ownership alone. A definition that says teamInheritance was
-- accepted there for a time, and inherited its teams: it goes on inheriting, by the name that holds.
update blueprints b set definition = (b.definition - 'teamInheritance') || case
  when b.definition ? 'ownership' then '{}'::jsonb
  else jsonb_build_object('ownership', jsonb_build_object('type', 'Inherited', 'path', b.definition #>> '{teamInheritance,path}'))
end
from organizations o
where o.id = b.org_id and o.model = 'blueprints' and b.definition ? 'teamInheritance';
