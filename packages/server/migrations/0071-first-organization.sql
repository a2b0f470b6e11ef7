-- When the installation got the organization: `created_at` is what the operator says of it, and may be long before.
alter table organizations add column entered_at timestamptz not null default clock_timestamp();

-- the first secrets of an organization are made with it
update organizations o
set entered_at = coalesce((select min(c.created_at) from credentials c where c.org_id = o.id), o.created_at);
