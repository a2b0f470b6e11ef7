/**
 * Where the tables of a distributed database lie that do not lie with their organization: every other table is divided
 * by `org_id`. `tenant-tables.int.test.ts` holds the list to the schema, `query-log.ts` the statements to the list.
 */
export const otherPlaces = {
  /** On the coordinator, unknown to Citus. */
  local: ['installation', 'job_schedules', 'removed_organizations', 'replicas', 'schema_migrations'],
  /**
   * On the coordinator, and known to Citus, because statements join them to what lies on every node. Workers claim jobs
   * of all organizations with `skip locked`, which spans no shards.
   */
  joined: ['jobs'],
  /** Whole on every node: what a request reads before it knows its organization, and what is joined to all of them. */
  reference: ['credential_directory', 'organizations'],
} as const;

export type Place = keyof typeof otherPlaces | 'organization';

export function findPlace(table: string): Place {
  const places = Object.entries(otherPlaces) as [Place, readonly string[]][];
  return places.find(([, tables]) => tables.includes(table))?.[0] ?? 'organization';
}
