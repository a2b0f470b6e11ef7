import sql, { raw } from 'sql-template-tag';
import type { Reader, Tx } from '../../platform/db/database.ts';
import { json } from '../../platform/db/json.ts';
import { computed, field, fields, row } from '../../platform/db/row.ts';
import type { ScorecardResults } from '../entity-rows/index.ts';
import type { ScorecardDefinition, StoredScorecard } from './scorecard.ts';

const columns = raw(`s.key, s.blueprint_key as "blueprintKey", s.identifier, s.definition, s.created_at as "createdAt",
  s.created_by as "createdBy", s.updated_at as "updatedAt", s.updated_by as "updatedBy"`);

const storedScorecard = row({
  ...fields('scorecards', 'key', 'blueprint_key', 'identifier', 'created_at', 'created_by', 'updated_at', 'updated_by'),
  definition: field('scorecards', 'definition').as<StoredScorecard['definition']>(),
});

/** All scorecards of an organization, in the order they were created. */
export function listScorecardRows(reader: Reader, orgId: string): Promise<StoredScorecard[]> {
  return reader.rows(storedScorecard.sql`select ${columns} from scorecards s where s.org_id = ${orgId} order by s.key`);
}

/** The scorecards of a blueprint, in the order they were created. */
export function findScorecards(reader: Reader, orgId: string, blueprintKey: number): Promise<StoredScorecard[]> {
  return reader.rows(storedScorecard.sql`
    select ${columns} from scorecards s where s.org_id = ${orgId} and s.blueprint_key = ${blueprintKey} order by s.key`);
}

/** The same of several blueprints. */
export function findScorecardsByBlueprint(
  reader: Reader,
  orgId: string,
  blueprintKeys: readonly number[],
): Promise<StoredScorecard[]> {
  return reader.rows(storedScorecard.sql`
    select ${columns} from scorecards s
    where s.org_id = ${orgId} and s.blueprint_key = any(${blueprintKeys}::bigint[]) order by s.key`);
}

interface ScorecardStamp {
  readonly orgId: string;
  readonly by: string;
  readonly at: Date;
  /** Who wrote its texts. */
  readonly authors: readonly string[];
}

/** Inserts a scorecard; undefined if the blueprint has one of that identifier. */
export function insertScorecard(
  tx: Tx,
  { orgId, by, at, authors }: ScorecardStamp,
  scorecard: {
    readonly blueprintKey: number;
    readonly identifier: string;
    readonly definition: ScorecardDefinition;
  },
): Promise<StoredScorecard | undefined> {
  const { blueprintKey, identifier, definition } = scorecard;
  return tx.first(storedScorecard.sql`
    insert into scorecards as s (org_id, blueprint_key, identifier, definition, created_at, created_by, updated_at,
      updated_by, text_authors)
    values (${orgId}, ${blueprintKey}, ${identifier}, ${json(definition)}, ${at}, ${by}, ${at}, ${by}, ${[...authors]})
    on conflict (org_id, blueprint_key, identifier) do nothing
    returning ${columns}`);
}

export async function updateScorecardRow(
  tx: Tx,
  { orgId, by, at, authors }: ScorecardStamp,
  key: number,
  definition: ScorecardDefinition,
): Promise<StoredScorecard> {
  const [row] = await tx.rows(storedScorecard.sql`
    update scorecards s set definition = ${json(definition)}, updated_at = ${at}, updated_by = ${by},
      text_authors = merge_text_authors(s.text_authors, ${[...authors]}::text[])
    where s.org_id = ${orgId} and s.key = ${key}
    returning ${columns}`);
  return row as StoredScorecard;
}

const authorsRow = row({ blueprint: computed.text, identifier: computed.text, authors: computed.json.as<string[]>() });

/** Who wrote the texts of scorecards and the names of their blueprints; of those from before authors were kept, anybody. */
export function listScorecardAuthors(
  reader: Reader,
  orgId: string,
): Promise<{ readonly blueprint: string; readonly identifier: string; readonly authors: readonly string[] }[]> {
  return reader.rows(authorsRow.sql`
    select b.identifier as blueprint, s.identifier,
      to_json(merge_text_authors(coalesce(s.text_authors, '{outside}'), coalesce(b.text_authors, '{outside}'))) as authors
    from scorecards s join blueprints b on b.org_id = s.org_id and b.key = s.blueprint_key
    where s.org_id = ${orgId}`);
}

export async function deleteScorecardRow(tx: Tx, orgId: string, key: number): Promise<void> {
  await tx.execute(sql`delete from scorecards where org_id = ${orgId} and key = ${key}`);
}

/** The scorecards of a blueprint that goes. */
export async function dropScorecardRows(tx: Tx, orgId: string, blueprintKey: number): Promise<void> {
  await tx.execute(sql`delete from scorecards where org_id = ${orgId} and blueprint_key = ${blueprintKey}`);
}

/** Values that scorecards hold of properties that `_scorecard` no longer has are gone, as those of every entity. */
export async function dropOwnValues(tx: Tx, orgId: string, keys: readonly string[]): Promise<void> {
  await tx.execute(sql`
    update scorecards set definition = jsonb_set(definition, '{properties}', (definition -> 'properties') - ${keys}::text[])
    where org_id = ${orgId} and definition -> 'properties' ?| ${keys}::text[]`);
}

/** And those of a property that is called otherwise have its new name. */
export async function renameOwnValues(tx: Tx, orgId: string, from: string, to: string): Promise<void> {
  await tx.execute(sql`
    update scorecards set definition = jsonb_set(definition, '{properties}',
      jsonb_set((definition -> 'properties') - ${from}::text, array[${to}::text], definition -> 'properties' -> ${from}))
    where org_id = ${orgId} and definition -> 'properties' ? ${from}`);
}

/**
 * Writes what was found, and marks these entities and `others` so that their results as data follow. Versions and times
 * of change stay, since nobody wrote.
 */
export async function updateResults(
  tx: Tx,
  orgId: string,
  rows: readonly { readonly key: number; readonly scorecards: ScorecardResults }[],
  others: readonly number[],
): Promise<void> {
  const due = [...rows.map(({ key }) => key), ...others];
  if (due.length === 0) return;
  await tx.execute(sql`
    with written as (
      update entities e set scorecards = r.scorecards
      from jsonb_to_recordset(${json(rows)}::jsonb) as r(key bigint, scorecards jsonb)
      where e.org_id = ${orgId} and e.key = r.key)
    insert into rule_result_marks (org_id, entity_key)
    select ${orgId}, n.key from unnest(${due}::bigint[]) as n(key) order by n.key
    on conflict do nothing`);
}

const scorecardRow = row(fields('scorecards', 'org_id', 'blueprint_key'));

/** The blueprints that have a scorecard with a date range that moves with the clock, of all organizations. */
export function listDatedBlueprints(reader: Reader): Promise<{ orgId: string; blueprintKey: number }[]> {
  return reader.rows(scorecardRow.sql`
    select distinct org_id as "orgId", blueprint_key as "blueprintKey" from scorecards
    where jsonb_path_exists(definition, '$.**.conditions[*].value.preset') /* all organizations */`);
}
