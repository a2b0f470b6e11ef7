import type { Reader } from '../../../platform/db/database.ts';
import { fields, row } from '../../../platform/db/row.ts';

const dueSource = row(fields('sources', 'org_id', 'key', 'identifier'));

/** Sources of all organizations whose next sync is due, in the order of their keys. */
export function listDueSources(
  reader: Reader,
  {
    now,
    after,
    limit,
  }: {
    readonly now: Date;
    readonly after: { readonly orgId: string; readonly key: number } | undefined;
    readonly limit: number;
  },
) {
  return reader.rows(dueSource.sql`
    select s.org_id as "orgId", s.key, s.identifier from sources s
    where s.next_sync_at <= ${now} and not s.is_paused
      and (s.org_id, s.key) > (${after?.orgId ?? ''}, ${after?.key ?? 0})
    order by s.org_id, s.key limit ${limit} /* all organizations */`);
}
