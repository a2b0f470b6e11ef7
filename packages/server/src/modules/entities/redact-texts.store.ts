import sql from 'sql-template-tag';
import type { Tx } from '../../platform/db/database.ts';

export interface TextsToRedact {
  readonly identifiers: readonly string[];
  readonly properties: readonly string[];
  /** Replaces removed text. */
  readonly marker: string;
}

/**
 * Replaces titles and texts of entities by a marker, without an event, which would repeat them. Only for properties
 * that nothing is derived from.
 */
export async function redactTexts(
  tx: Tx,
  orgId: string,
  blueprintKey: number,
  { identifiers, properties, marker }: TextsToRedact,
): Promise<void> {
  await tx.execute(sql`
    update entities e set title = ${marker}, version = version + 1,
      properties = e.properties || coalesce((
        select jsonb_object_agg(p.name, ${marker}::text) from unnest(${[...properties]}::text[]) as p(name)
        where e.properties ? p.name), '{}'::jsonb)
    where e.org_id = ${orgId} and e.blueprint_key = ${blueprintKey} and e.identifier = any(${[...identifiers]}::text[])`);
}
