import type { Reader } from '../db/database.ts';
import { countRow } from '../db/row.ts';

/** Whether a job with that key still runs or waits to run: one whose attempts are used up does neither. */
export async function hasUnfinishedJob(reader: Reader, orgId: string, name: string, key: string): Promise<boolean> {
  // each state by its own index
  const counted = await reader.first(countRow.sql`
    select ((select count(*) from jobs
        where org_id = ${orgId} and name = ${name} and dedupe_key = ${key} and state = 'waiting')
      + (select count(*) from jobs
        where org_id = ${orgId} and name = ${name} and dedupe_key = ${key} and state = 'running'))::int as count`);
  return counted !== undefined && counted.count > 0;
}
