import sql from 'sql-template-tag';
import type { Reader, Tx } from '../../platform/db/database.ts';
import { json } from '../../platform/db/json.ts';
import { field, fields, type RowOf, row } from '../../platform/db/row.ts';

const subject = row({
  ...fields('scorecard_entities', 'entity_key', 'blueprint_key', 'scorecard'),
  /** Empty for the scorecard itself. */
  rule: field('scorecard_entities', 'rule'),
});

/** Which scorecard, or rule of it, an entity of `_scorecard` or `_rule` stands for. */
export type Subject = RowOf<typeof subject>;

/** The entities that stand for the scorecards of these blueprints and their rules. */
export function findSubjects(reader: Reader, orgId: string, blueprintKeys: readonly number[]): Promise<Subject[]> {
  return reader.rows(subject.sql`
    select entity_key as "entityKey", blueprint_key as "blueprintKey", scorecard, rule from scorecard_entities
    where org_id = ${orgId} and blueprint_key = any(${blueprintKeys}::bigint[]) order by entity_key`);
}

/** What these entities stand for; those that stand for nothing are missing. */
export function findSubjectsByEntity(reader: Reader, orgId: string, entityKeys: readonly number[]): Promise<Subject[]> {
  if (entityKeys.length === 0) return Promise.resolve([]);
  return reader.rows(subject.sql`
    select entity_key as "entityKey", blueprint_key as "blueprintKey", scorecard, rule from scorecard_entities
    where org_id = ${orgId} and entity_key = any(${entityKeys}::bigint[]) order by entity_key`);
}

export async function addSubjects(tx: Tx, orgId: string, subjects: readonly Subject[]): Promise<void> {
  if (subjects.length === 0) return;
  await tx.execute(sql`
    insert into scorecard_entities (org_id, entity_key, blueprint_key, scorecard, rule)
    select ${orgId}, s."entityKey", s."blueprintKey", s.scorecard, s.rule
    from jsonb_to_recordset(${json(subjects)}::jsonb)
      as s("entityKey" bigint, "blueprintKey" bigint, scorecard text, rule text)`);
}

export async function removeSubjects(tx: Tx, orgId: string, entityKeys: readonly number[]): Promise<void> {
  if (entityKeys.length === 0) return;
  await tx.execute(sql`
    delete from scorecard_entities where org_id = ${orgId} and entity_key = any(${entityKeys}::bigint[])`);
}
