-- What an organization sends is signed with its client secret, and what it encrypts opens with it (api contract §3.5.6):
-- so the secret of its own credentials is kept sealed beside its hash. Null for those made before, until they are rotated.
alter table credentials add column sealed_secret text;
