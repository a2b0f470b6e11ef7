import sql, { empty } from 'sql-template-tag';
import type { Interest } from '../../journal/index.ts';

/** Consumer name; targets are `organization:<id>` and `blueprint:<key>`. */
export const changelogConsumer = 'changelog';

/**
 * Destinations of the organization by resource type, and those of blueprints for their entities. Without a broker,
 * blueprint destinations that need one are skipped.
 */
export const changelogInterest =
  (options: { readonly hasBroker: boolean }): Interest =>
  (orgId) =>
    sql`
  select 'changelog' as consumer, 'organization:' || d.id as target, w.key
  from written w
  join changelog_destinations d on d.org_id = ${orgId} and d.is_enabled
    and (d.resources is null or d.resources ? w.resource_type)
  union all
  select 'changelog' as consumer, 'blueprint:' || b.key as target, w.key
  from (
    with telling as materialized (
      select b.key, b.identifier from blueprints b
      where b.org_id = ${orgId} and (b.has_changelog${options.hasBroker ? sql` or b.has_broker_changelog` : empty}))
    select * from telling) b
  join written w on w.context ->> 'blueprint' = b.identifier
  where w.resource_type = 'entity'`;
