import type { Reader } from './db/database.ts';
import { fields, row } from './db/row.ts';
import { AppError } from './errors.ts';

/** What a change of a frozen organization is refused with. */
export function takesNoChanges(): AppError {
  return new AppError('service_unavailable', 'The organization takes no changes while it moves; try again later');
}

const frozen = row(fields('organizations', 'id'));

/** @throws AppError `service_unavailable` for an organization that moves to another installation (decision 0177) */
export async function refuseFrozen(reader: Reader, orgId: string): Promise<void> {
  const found = await reader.first(frozen.sql`
    select id from organizations where id = ${orgId} and frozen_at is not null`);
  if (found) throw takesNoChanges();
}

/** Organizations that move to another installation, so that nothing is to be done for them here. */
export async function listFrozen(reader: Reader): Promise<ReadonlySet<string>> {
  const rows = await reader.rows(frozen.sql`select id from organizations where frozen_at is not null`);
  return new Set(rows.map(({ id }) => id));
}
