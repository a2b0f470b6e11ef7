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
  from written w
  join blueprints b on b.org_id = ${orgId} and b.identifier = w.context ->> 'blueprint' and (b.has_changelog${options.hasBroker ? sql` or b.has_broker_changelog` : empty})
  where w.resource_type = 'entity'`;
