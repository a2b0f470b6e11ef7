-- What searches need beside the rows: who wrote what, words, and indexes that follow use.

-- clean-up by integrations reads the entities of one datasource page by page
create index entities_by_datasource on entities (org_id, (datasource collate "C"), key);

-- The words of title and identifier; those of the title weigh more. Marks that join words part them, so that each can be
-- found. The organization is a word too: such an index cannot begin with it. Texts of properties are left out: their
-- words cost every write ten times as much (docs/decisions/0011).
create index entities_by_words on entities using gin ((
  setweight(to_tsvector('simple'::regconfig, translate(coalesce(title, ''), '-_./:@\=+', '         ')), 'A')
  || setweight(to_tsvector('simple'::regconfig, translate(identifier, '-_./:@\=+', '         ')), 'B')
  || array_to_tsvector(array['org:' || org_id])));

-- Values of a blueprint's entities that searches compare or sort by, how often they did, and the index made for them.
create table search_indexes (
  org_id text not null,
  blueprint_key bigint not null,
  -- column:form:key
  slot text not null,
  -- halved each time the indexes are tended
  uses bigint not null default 0,
  used_at timestamptz not null,
  -- null while there is none
  index_name text,
  primary key (org_id, blueprint_key, slot)
);
