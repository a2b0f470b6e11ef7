-- Entities that are exempt from rules of a scorecard for a time, and who was reminded of campaigns.

create table scorecard_exemptions (
  org_id text not null,
  identifier text collate "C" not null,
  blueprint_key bigint not null,
  entity_key bigint not null,
  -- named, not referred to, as campaigns name it: one that is made anew finds its exemptions
  scorecard text not null,
  -- null is for all of them
  rule text,
  reason text not null,
  -- the last day of the exemption, of UTC, such as 2027-01-31
  until text collate "C" not null,
  created_at timestamptz not null,
  created_by text not null,
  primary key (org_id, identifier),
  -- an entity takes its exemptions along
  foreign key (org_id, entity_key) references entities (org_id, key) on delete cascade
);
-- an entity is exempt from a rule once; no rule has an empty identifier
create unique index scorecard_exemptions_subject
  on scorecard_exemptions (org_id, entity_key, scorecard, (coalesce(rule, '')));
create index scorecard_exemptions_by_scorecard on scorecard_exemptions (org_id, blueprint_key, scorecard);

create table campaign_reminders (
  org_id text not null,
  campaign text collate "C" not null,
  -- of which the reminder was: another due date has reminders of its own
  due_date text collate "C" not null,
  -- so many days before
  step integer not null,
  at timestamptz not null,
  primary key (org_id, campaign, due_date, step),
  foreign key (org_id, campaign) references campaigns (org_id, identifier) on delete cascade
);

create table campaign_reminder_people (
  org_id text not null,
  campaign text collate "C" not null,
  due_date text collate "C" not null,
  step integer not null,
  user_key text not null,
  -- of the e-mail; the notice on Home needs none
  mail text not null check (mail in ('none', 'waiting', 'sent', 'failed')),
  primary key (org_id, campaign, due_date, step, user_key),
  foreign key (org_id, campaign, due_date, step) references campaign_reminders (org_id, campaign, due_date, step)
    on delete cascade,
  foreign key (org_id, user_key) references users (org_id, key) on delete cascade
);
create index campaign_reminder_people_by_user on campaign_reminder_people (org_id, user_key);
