-- Properties that integrations and webhooks send although the blueprint does not have them; their values are dropped. Noted
-- once an hour at most for each writer, and forgotten some weeks after they were seen last.
create table unknown_properties (
  org_id text not null,
  blueprint_key bigint not null,
  property text not null,
  datasource text not null,
  -- the definition that its last value suggests; the value itself is not kept
  guess jsonb not null,
  first_seen timestamptz not null,
  last_seen timestamptz not null,
  primary key (org_id, blueprint_key, property, datasource),
  foreign key (org_id, blueprint_key) references blueprints (org_id, key) on delete cascade
);

create index unknown_properties_by_age on unknown_properties (org_id, last_seen);
