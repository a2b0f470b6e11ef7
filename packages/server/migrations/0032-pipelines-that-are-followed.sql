-- Pipelines of other services than GitHub have numbers of their own.

drop index action_runs_followed;
create unique index action_runs_followed
  on action_runs (org_id, coalesce(followed ->> 'service', 'GITHUB'), (followed ->> 'org'), (followed ->> 'repo'),
    (followed ->> 'id'))
  where followed ->> 'id' is not null;
