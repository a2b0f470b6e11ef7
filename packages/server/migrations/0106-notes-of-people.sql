-- Notes that people keep for the assistant. Nobody but their owner reads them; they go with the person.

create table ai_memory_settings (
  org_id text not null,
  is_enabled boolean not null,
  updated_at timestamptz not null,
  updated_by text not null,
  primary key (org_id)
);

-- Who has their notes used. Without a row they are not.
create table ai_memory_people (
  org_id text not null,
  user_key text not null,
  is_on boolean not null,
  updated_at timestamptz not null,
  primary key (org_id, user_key),
  foreign key (org_id, user_key) references users (org_id, key) on delete cascade
);

create table ai_memory_notes (
  org_id text not null,
  user_key text not null,
  id text collate "C" not null,
  content text not null,
  -- whose question says it
  invocation text,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (org_id, id),
  foreign key (org_id, user_key) references users (org_id, key) on delete cascade
);
create index ai_memory_notes_by_person on ai_memory_notes (org_id, user_key, created_at);
