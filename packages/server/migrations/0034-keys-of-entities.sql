-- The keys of the entities of a blueprint that have these identifiers; those that are not there are missing. Without
-- statistics, as in the first minute of an import and for long on the embedded engine, the planner takes any index that
-- begins with the blueprint for as good as the one of identifiers, and reads all of its entities for each name. With
-- sorting out of the question only that one index can answer.
create function entity_keys(org text, blueprint bigint, names text[]) returns table (name text, key bigint)
language plpgsql stable rows 20 set enable_sort = off
as $$
begin
  return query
    select w.name, k.key from unnest(names) as w(name)
    cross join lateral (
      select x.key from entities x
      where x.org_id = org and x.blueprint_key = blueprint and x.identifier >= w.name and x.identifier <= w.name
      order by x.identifier limit 1) k;
end
$$;
