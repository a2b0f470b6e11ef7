import sql, { raw } from 'sql-template-tag';
import type { Reader, Tx } from '../../../platform/db/database.ts';
import { json } from '../../../platform/db/json.ts';
import type { ScorecardDefinition, ScorecardResults, StoredScorecard } from './scorecard.ts';

const columns = raw(`s.key, s.blueprint_key as "blueprintKey", s.identifier, s.definition, s.created_at as "createdAt",
  s.created_by as "createdBy", s.updated_at as "updatedAt", s.updated_by as "updatedBy"`);

/** All scorecards of an organization, in the order they were created. */
export function listScorecardRows(reader: Reader, orgId: string): Promise<StoredScorecard[]> {
  return reader.rows<StoredScorecard>(
    sql`select ${columns} from scorecards s where s.org_id = ${orgId} order by s.key`,
  );
}

/** The scorecards of a blueprint, in the order they were created. */
export function findScorecards(reader: Reader, orgId: string, blueprintKey: number): Promise<StoredScorecard[]> {
  return reader.rows<StoredScorecard>(sql`
    select ${columns} from scorecards s where s.org_id = ${orgId} and s.blueprint_key = ${blueprintKey} order by s.key`);
}

interface Writing {
  readonly orgId: string;
  readonly by: string;
  readonly at: Date;
}

/** Inserts a scorecard; undefined if the blueprint has one of that identifier. */
export function insertScorecard(
  tx: Tx,
  { orgId, by, at }: Writing,
  scorecard: {
    readonly blueprintKey: number;
    readonly identifier: string;
    readonly definition: ScorecardDefinition;
  },
): Promise<StoredScorecard | undefined> {
  const { blueprintKey, identifier, definition } = scorecard;
  return tx.first<StoredScorecard>(sql`
    insert into scorecards as s (org_id, blueprint_key, identifier, definition, created_at, created_by, updated_at,
      updated_by)
    values (${orgId}, ${blueprintKey}, ${identifier}, ${json(definition)}, ${at}, ${by}, ${at}, ${by})
    on conflict (org_id, blueprint_key, identifier) do nothing
    returning ${columns}`);
}

export async function updateScorecardRow(
  tx: Tx,
  { orgId, by, at }: Writing,
  key: number,
  definition: ScorecardDefinition,
): Promise<StoredScorecard> {
  const [row] = await tx.rows<StoredScorecard>(sql`
    update scorecards s set definition = ${json(definition)}, updated_at = ${at}, updated_by = ${by}
    where s.org_id = ${orgId} and s.key = ${key}
    returning ${columns}`);
  return row as StoredScorecard;
}

export async function deleteScorecardRow(tx: Tx, orgId: string, key: number): Promise<void> {
  await tx.execute(sql`delete from scorecards where org_id = ${orgId} and key = ${key}`);
}

/** Writes what was found; versions and times of change stay, since nobody wrote. */
export async function updateResults(
  tx: Tx,
  orgId: string,
  rows: readonly { readonly key: number; readonly scorecards: ScorecardResults }[],
): Promise<void> {
  if (rows.length === 0) return;
  await tx.execute(sql`
    update entities e set scorecards = r.scorecards
    from jsonb_to_recordset(${json(rows)}::jsonb) as r(key bigint, scorecards jsonb)
    where e.org_id = ${orgId} and e.key = r.key`);
}

/** The blueprints that have a scorecard with a date range that moves with the clock, of all organizations. */
export function listDatedBlueprints(reader: Reader): Promise<{ orgId: string; blueprintKey: number }[]> {
  return reader.rows(sql`
    select distinct org_id as "orgId", blueprint_key as "blueprintKey" from scorecards
    where jsonb_path_exists(definition, '$.**.conditions[*].value.preset') /* all organizations */`);
}

/** The next keys of a blueprint's entities, ascending. */
export async function keysAfter(
  reader: Reader,
  orgId: string,
  blueprintKey: number,
  after: number,
  limit: number,
): Promise<number[]> {
  const rows = await reader.rows<{ key: number }>(sql`
    select key from entities where org_id = ${orgId} and blueprint_key = ${blueprintKey} and key > ${after}
    order by key limit ${limit}`);
  return rows.map(({ key }) => key);
}
