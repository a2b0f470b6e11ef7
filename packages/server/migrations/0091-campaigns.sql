-- Campaigns of scorecards: what entities are to reach, by when; and how far each was on past days.

create table campaigns (
  org_id text not null,
  identifier text collate "C" not null,
  blueprint_key bigint not null,
  status text not null check (status in ('draft', 'active', 'done', 'archived')),
  -- a day of the calendar, such as 2027-01-31
  due_date text collate "C" not null,
  -- the rest of what people wrote; the scorecard is named, not referred to: one that is made anew is measured again
  definition jsonb not null,
  created_at timestamptz not null,
  created_by text not null,
  updated_at timestamptz not null,
  updated_by text not null,
  primary key (org_id, identifier),
  -- a blueprint takes its campaigns along
  foreign key (org_id, blueprint_key) references blueprints (org_id, key) on delete cascade
);
create index campaigns_by_blueprint on campaigns (org_id, blueprint_key);

create table campaign_days (
  org_id text not null,
  campaign text collate "C" not null,
  -- of UTC; the last count of the day
  day text collate "C" not null,
  total integer not null,
  reached integer not null,
  primary key (org_id, campaign, day),
  foreign key (org_id, campaign) references campaigns (org_id, identifier) on delete cascade
);
