/**
 * Where the tables of a distributed database lie that do not lie with their organization: every other table is divided
 * by `org_id`. `tenant-tables.int.test.ts` holds the list to the schema, `query-log.ts` the statements to the list.
 */
export const otherPlaces = {
  /** On the coordinator. Workers claim jobs of all organizations with `skip locked`, which spans no shards. */
  local: ['installation', 'job_schedules', 'jobs', 'removed_organizations', 'replicas', 'schema_migrations'],
  /** Whole on every node: what a request reads before it knows its organization, and what is joined to all of them. */
  reference: ['credential_directory', 'organizations'],
} as const;

export type Place = 'local' | 'reference' | 'organization';

export function findPlace(table: string): Place {
  const has = (names: readonly string[]): boolean => names.includes(table);
  if (has(otherPlaces.local)) return 'local';
  return has(otherPlaces.reference) ? 'reference' : 'organization';
}
