-- Campaigns of scorecards: what entities are to reach, by when.

create table campaigns (
  org_id text not null,
  key bigint generated always as identity,
  identifier text collate "C" not null,
  blueprint_key bigint not null,
  status text not null check (status in ('draft', 'active', 'done', 'archived')),
  due_date text not null,
  -- the rest of what people wrote; the scorecard is named, not referred to: one that is made anew is measured again
  definition jsonb not null,
  created_at timestamptz not null,
  created_by text not null,
  updated_at timestamptz not null,
  updated_by text not null,
  primary key (org_id, key),
  constraint campaigns_identifier unique (org_id, identifier),
  -- a blueprint takes its campaigns along
  foreign key (org_id, blueprint_key) references blueprints (org_id, key) on delete cascade
);
create index campaigns_by_blueprint on campaigns (org_id, blueprint_key);
