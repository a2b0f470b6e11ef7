import sql, { raw, type Sql } from 'sql-template-tag';
import type { Tx } from '../../platform/db/database.ts';

export interface RecordedTexts {
  readonly blueprint: string;
  readonly identifiers: readonly string[];
  readonly properties: readonly string[];
  /** Stands where a title was. */
  readonly marker: string;
}

/** Takes properties and titles of entities out of everything that was recorded of them; that it was recorded stays. */
export async function forgetRecordedTexts(
  tx: Tx,
  orgId: string,
  { blueprint, identifiers, properties, marker }: RecordedTexts,
): Promise<void> {
  const without = (column: 'before' | 'after'): Sql => sql`
    case when jsonb_typeof(${raw(`j.${column}`)}) = 'object'
      then ${raw(`j.${column}`)} || jsonb_build_object('title', ${marker}::text,
        'properties', coalesce(${raw(`j.${column}`)} -> 'properties', '{}'::jsonb) - ${[...properties]}::text[])
      else ${raw(`j.${column}`)} end`;
  await tx.execute(sql`
    update journal j set before = ${without('before')}, after = ${without('after')}
    where j.org_id = ${orgId} and j.resource_type = 'entity' and j.context ->> 'blueprint' = ${blueprint}
      and j.context ->> 'entity' = any(${[...identifiers]}::text[])`);
}
