-- Installed starter models, and what each of them made.

create table packs (
  org_id text not null,
  pack text collate "C" not null,
  version integer not null,
  installed_at timestamptz not null,
  installed_by text not null,
  primary key (org_id, pack)
);

create table pack_items (
  org_id text not null,
  pack text collate "C" not null,
  kind text not null,
  -- empty where the item lies in no blueprint
  blueprint text collate "C" not null,
  identifier text collate "C" not null,
  -- of the definition as it was stored; another one now means that somebody changed it
  hash text not null,
  primary key (org_id, pack, kind, blueprint, identifier),
  foreign key (org_id, pack) references packs (org_id, pack) on delete cascade
);
