-- Values of `entities.derived` and `team_refs` that are due: too many to be computed in the transaction that made them
-- so, or of entities that somebody else was writing then. A job computes them and takes the marks away.

create table derived_marks (
  org_id text not null,
  entity_key bigint not null,
  -- a computed property, `$team` for inherited teams, or `*` for everything on the entity
  name text not null,
  blueprint_key bigint not null,
  primary key (org_id, entity_key, name)
);

-- who owns what: `my entities`, rights by team, and what is rolled up to teams
create index entities_by_team on entities using gin (team_refs);
