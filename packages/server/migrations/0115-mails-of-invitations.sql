-- Whom a mailed link went to, so that a person is not mailed without end; the user may be another one by then.

alter table password_links add column mailed_to text;
create index password_links_mailed on password_links (org_id, created_at) where mailed_to is not null;
