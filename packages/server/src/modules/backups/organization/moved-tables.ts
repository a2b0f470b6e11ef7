import type { Table } from '../tables.store.ts';

/**
 * Tables of organizations whose rows stay behind when one moves, and why. Every other table with an `org_id` goes along: the
 * catalogs of the database say which there are.
 */
export const staysBehind: Readonly<Record<string, string>> = {
  sessions: 'A sign-in belongs to the address of an installation; people sign in again.',
  sso_attempts: 'A sign-in under way ends at the installation where it began.',
  oauth_codes: 'They are good for a minute, at the address that gave them.',
  search_indexes: 'They name indexes of one database, which makes others as searches ask for them.',
};

/**
 * What a column says in the file where it is not what the row says: nobody holds a lease of a row that moves, and traces
 * are with the collector of the installation that it leaves.
 */
export const atRest: Readonly<Record<string, string>> = {
  'organizations.frozen_at': 'null',
  'jobs.state': `case state when 'running' then 'waiting' else state end`,
  'jobs.lease': 'null',
  'jobs.locked_until': 'null',
  'jobs.traceparent': 'null',
  'webhook_deliveries.state': `case state when 'running' then 'waiting' else state end`,
  'webhook_deliveries.lease': 'null',
  'webhook_deliveries.leased_until': 'null',
};

export const organizationsTable = 'organizations';

/** The tables that go along, in an order in which rows can be written. */
export function movedTables(tables: readonly Table[]): readonly Table[] {
  const moved = tables.filter((table) => isOfOrganizations(table) && !Object.hasOwn(staysBehind, table.name));
  const own = tables.filter(({ name }) => name === organizationsTable);
  return [...own, ...moved];
}

export function isOfOrganizations({ columns }: Table): boolean {
  return columns.some(({ name }) => name === 'org_id');
}

/** The column that says whose a row is. */
export function ownerColumn(table: string): string {
  return table === organizationsTable ? 'id' : 'org_id';
}
