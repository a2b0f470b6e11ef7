-- Who wrote the texts that an assistant reads, so that nobody's text leads it to what its author could not do.

-- Everyone who ever wrote a text that may still stand, at most eight and then `*`. Null on rows from before: nobody knows.
alter table entities add column text_authors text[];
alter table blueprints add column text_authors text[];
alter table actions add column text_authors text[];
alter table scorecards add column text_authors text[];

-- The union of labels with the bound of eight; what nobody can vouch for is not crowded out.
create function merge_text_authors(stored text[], added text[]) returns text[] language sql immutable as $$
  select case when coalesce(stored, '{outside}') @> added then coalesce(stored, '{outside}') else (
    with named as (select distinct author from unnest(coalesce(stored, '{outside}') || added) as u(author)),
    ranked as (
      select author, row_number() over (order by author <> 'outside', author collate "C") as place from named where author <> '*')
    select array_agg(author order by author collate "C") from (
      select author from ranked where place <= 8
      union all
      select '*' where exists (select 1 from ranked where place > 8) or exists (select 1 from named where author = '*')
    ) kept) end
$$;

-- What a run was decided by, so that the decision can be made again; null for runs that no assistant asked for.
alter table action_runs add column decision jsonb;
-- Authors of the texts that led to a run: of what an assistant had read, or of the entity of an automation's event.
alter table action_runs add column label text[];
-- Authors of everything that an invocation had read at its end.
alter table invocations add column label text[];

-- What an organization decided about its assistant; without a row, everything is as for a new organization.
create table ai_policies (
  org_id text primary key,
  injection text not null check (injection in ('enforce', 'observe')),
  -- until when `observe` holds; null if somebody chose it
  observed_until timestamptz,
  -- risk by the name of an action or of a connected tool
  risks jsonb not null default '{}',
  updated_at timestamptz not null,
  updated_by text not null
);

-- Organizations from before see for thirty days what would change.
insert into ai_policies (org_id, injection, observed_until, updated_at, updated_by)
  select id, 'observe', now() + interval '30 days', now(), 'portolan' from organizations;
