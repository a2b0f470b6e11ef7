-- Who was invited by whom, until they first sign in. What lets them in is in password_links.
create table invitations (
  org_id text not null,
  user_key text not null,
  invited_by text not null,
  invited_at timestamptz not null,
  -- whether the invitation created the user, who then goes with it
  created_user boolean not null,
  -- what became of the e-mail; none if none was wanted or there is no mail server
  mail text not null check (mail in ('none', 'waiting', 'sent', 'failed')),
  mail_at timestamptz,
  mail_problem text,
  primary key (org_id, user_key)
);

alter table password_links
  -- a link by mail gets its secret when the message is written, so that it is stored nowhere else
  add column carried_by text not null default 'hand' check (carried_by in ('hand', 'mail')),
  -- links that have ended stay a while, to tell their holder why
  add column ended_at timestamptz,
  add column ended_as text check (ended_as in ('used', 'replaced', 'revoked')),
  add constraint password_links_ended check ((ended_at is null) = (ended_as is null));
create index password_links_by_user on password_links (org_id, user_key);
