-- Whose authority a link to set a password was made with: whoever comes with it becomes nobody who may do more. Links of
-- before it was kept have none, and let plain members in for the first time.
alter table password_links add column authority jsonb;
