-- What the API of users and teams shows and keeps apart beside their entities.

alter table users
  -- the address without case, width and composition; null only for doubles that were there before
  add column address_key text,
  -- as a sign-in gave them; null where the title alone is known
  add column first_name text,
  add column last_name text,
  add column picture text,
  add column last_login_at timestamptz;

-- the name without case, width and composition; null only for doubles that were there before
alter table teams add column name_key text;

-- the order in which members were named: one client compares lists
alter table team_members add column position bigint not null default 0;

update users u set address_key = n.name_key
from (select org_id, key, lower(normalize(identifier, NFKC)) as name_key,
    row_number() over (partition by org_id, lower(normalize(identifier, NFKC)) order by created_at, key) as position
  from users where length(identifier) <= 500) n
where n.position = 1 and u.org_id = n.org_id and u.key = n.key;
update teams t set name_key = n.name_key
from (select org_id, key, lower(normalize(title, NFKC)) as name_key,
    row_number() over (partition by org_id, lower(normalize(title, NFKC)) order by created_at, key) as position
  from teams where length(title) <= 500) n
where n.position = 1 and t.org_id = n.org_id and t.key = n.key;

alter table users add constraint users_address_key unique (org_id, address_key);
alter table teams add constraint teams_name_key unique (org_id, name_key);
