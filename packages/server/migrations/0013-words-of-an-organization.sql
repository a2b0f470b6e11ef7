-- The mark of the organization began with letters, so searching for "o", "or" or "org" found everything. No word begins
-- with "=".
drop index entities_by_words;
create index entities_by_words on entities using gin ((
  setweight(to_tsvector('simple'::regconfig, translate(coalesce(title, ''), '-_./:@\=+', '         ')), 'A')
  || setweight(to_tsvector('simple'::regconfig, translate(identifier, '-_./:@\=+', '         ')), 'B')
  || array_to_tsvector(array['=org:' || org_id])));
