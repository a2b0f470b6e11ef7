-- Timers are properties with a moment; when it passes, the journal says so, once for each value.

-- how far the clock was followed for a blueprint that has timers
create table timer_sweeps (
  org_id text not null,
  blueprint_key bigint not null,
  swept_until timestamptz not null,
  primary key (org_id, blueprint_key),
  foreign key (org_id, blueprint_key) references blueprints (org_id, key) on delete cascade
);

-- What was noted of late: sweeps overlap, so that a value written while one ran is not missed. Rows go after an hour.
create table expired_timers (
  org_id text not null,
  entity_key bigint not null,
  property text not null,
  value text not null,
  blueprint_key bigint not null,
  noted_at timestamptz not null,
  primary key (org_id, entity_key, property)
);
create index expired_timers_by_age on expired_timers (org_id, blueprint_key, noted_at);

alter table journal drop constraint journal_action_check;
alter table journal add constraint journal_action_check
  check (action in ('CREATE', 'UPDATE', 'DELETE', 'OTHER', 'TIMER_EXPIRED'));
