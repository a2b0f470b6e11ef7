-- Pages and folders of the portal. Widgets are kept as they were written.

create table pages (
  org_id text not null,
  key bigint generated always as identity,
  -- null: the page of a blueprint's entities, which is called <blueprint>Entity whatever the blueprint is called
  identifier text collate "C",
  type text not null check (type in ('dashboard', 'blueprint-entities', 'entity', 'home')),
  blueprint_key bigint,
  definition jsonb not null,
  -- who alone sees it; null for pages of the organization
  owner text,
  -- { read?, update? } as lists of roles, users and team references; null means the defaults
  permissions jsonb,
  created_at timestamptz not null,
  created_by text not null,
  updated_at timestamptz not null,
  updated_by text not null,
  primary key (org_id, key),
  constraint pages_identifier unique (org_id, identifier),
  -- a blueprint takes its pages along
  foreign key (org_id, blueprint_key) references blueprints (org_id, key) on delete cascade,
  check ((identifier is null) = (type = 'entity'))
);
create unique index pages_of_entities on pages (org_id, blueprint_key) where type = 'entity';
create index pages_by_blueprint on pages (org_id, blueprint_key);

create table sidebar_folders (
  org_id text not null,
  key bigint generated always as identity,
  identifier text collate "C" not null,
  title text,
  parent text,
  after text,
  primary key (org_id, key),
  constraint sidebar_folders_identifier unique (org_id, identifier)
);

-- blueprints that were there before pages get theirs, as new ones do
insert into pages (org_id, identifier, type, blueprint_key, definition, created_at, created_by, updated_at, updated_by)
select org_id, identifier || 's', 'blueprint-entities', key,
  jsonb_build_object('title', (definition ->> 'title') || 's', 'widgets', jsonb_build_array(jsonb_build_object(
    'id', 'entities', 'type', 'table-entities-explorer', 'dataset', jsonb_build_object('combinator', 'and', 'rules', '[]'::jsonb)))),
  created_at, 'portolan', created_at, 'portolan'
from blueprints where identifier not in ('_ai_agent', '_ai_invocations')
on conflict do nothing;
