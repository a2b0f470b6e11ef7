import sql, { type Sql } from 'sql-template-tag';
import type { Reader } from '../../platform/db/database.ts';

/** An entity that a run wrote, and what was done to it last. */
export interface TouchedEntity {
  readonly identifier: string;
  readonly blueprint: string;
  readonly action: string;
  readonly at: Date;
}

const countMax = 1_000;

/** The entities that were written for a run, those that satisfy the condition on `journal j`; a thousand at most. */
export function listTouchedEntities(
  reader: Reader,
  orgId: string,
  runId: string,
  condition: Sql | undefined,
): Promise<TouchedEntity[]> {
  return reader.rows<TouchedEntity>(sql`
    select distinct on (blueprint, identifier) j.context ->> 'blueprint' as blueprint,
      j.context ->> 'entity' as identifier, j.action, j.at
    from journal j
    where j.org_id = ${orgId} and j.context ->> 'runId' = ${runId} and j.resource_type = 'entity'
      and j.status = 'SUCCESS' and j.context ->> 'entity' is not null and ${condition ?? sql`true`}
    order by blueprint, identifier, j.key desc limit ${countMax}`);
}
