-- What a person keeps at hand, in their order: [{kind, key, blueprintKey?}]. Keys, so that a favorite follows what is renamed.

create table favorites (
  org_id text not null,
  user_key text not null,
  targets jsonb not null,
  primary key (org_id, user_key),
  foreign key (org_id, user_key) references users (org_id, key) on delete cascade
);
