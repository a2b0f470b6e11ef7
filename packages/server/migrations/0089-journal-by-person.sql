-- What one person did, however much programs write; theirs is not indexed, so that imports do not pay for it.
create index journal_by_person on journal (org_id, actor_id, at, key) where actor_kind = 'person';
