-- Who still names teams by titles, or writes relations that are the teams now; several rows of one writer add up.
create table old_team_writers (
  org_id text not null,
  id text not null,
  -- a digest of the columns from here to relation: together they may be too long for an index
  place text not null,
  model text not null,
  datasource text not null,
  written_by text not null,
  -- what was written: the kind of document and which, for entities their blueprint
  kind text not null,
  identifier text not null,
  -- the relation that is the teams now; empty where a team was named by its title
  relation text not null,
  -- the last title
  title text,
  count bigint not null,
  first_seen timestamptz not null,
  last_seen timestamptz not null,
  primary key (org_id, id)
);

create index old_team_writers_by_place on old_team_writers (org_id, place);

insert into old_team_writers
  (org_id, id, place, model, datasource, written_by, kind, identifier, relation, count, first_seen, last_seen)
select u.org_id, 'ow_' || md5(u.blueprint_key || ' ' || u.relation || ' ' || u.datasource), '', 'blueprints',
  u.datasource, '', 'entity', b.identifier, u.relation, 1, u.first_seen, u.last_seen
from old_team_relation_uses u join blueprints b on b.org_id = u.org_id and b.key = u.blueprint_key;

drop table old_team_relation_uses;
