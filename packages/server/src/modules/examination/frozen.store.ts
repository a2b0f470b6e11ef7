import type { Reader } from '../../platform/db/database.ts';
import { fields, row } from '../../platform/db/row.ts';

const frozen = row(fields('organizations', 'id', 'name', 'frozen_at'));

/** Those that take no changes, the longest first. */
export function listFrozen(reader: Reader) {
  return reader.rows(frozen.sql`
    select id, name, frozen_at as "frozenAt" from organizations
    where frozen_at is not null order by frozen_at limit 20`);
}
