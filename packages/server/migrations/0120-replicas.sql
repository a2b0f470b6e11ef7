-- phase: expand
-- Processes that use the database, of the installation as a whole: each says every few seconds that it lives.

create table replicas (
  id text collate "C" not null primary key,
  release text not null,
  role text not null,
  address text not null,
  started_at timestamptz not null default now(),
  seen_at timestamptz not null default now(),
  draining_since timestamptz
);
