import sql from 'sql-template-tag';
import type { Reader, Tx } from '../../../platform/db/database.ts';
import type { StoredBlueprint } from '../../blueprints/index.ts';
import type { TeamRelation } from './take-over-teams.ts';

/** Somebody who still writes a relation to teams that is the teams now. */
export interface OldRelationUse {
  readonly blueprint: string;
  readonly relation: string;
  readonly datasource: string;
  readonly firstSeen: Date;
  readonly lastSeen: Date;
}

/** From now on these relations, which went, are understood as teams until a moment. */
export async function rememberOldRelations(
  tx: Tx,
  orgId: string,
  relations: readonly TeamRelation[],
  until: Date,
): Promise<void> {
  for (const { blueprintKey, relation } of relations) {
    await tx.execute(sql`
      insert into old_team_relations (org_id, blueprint_key, relation, until)
      values (${orgId}, ${blueprintKey}, ${relation}, ${until})
      on conflict (org_id, blueprint_key, relation) do update set until = excluded.until`);
  }
}

/** The relations are back, or the blueprints are gone. */
export async function forgetOldRelations(tx: Tx, orgId: string): Promise<void> {
  await tx.execute(sql`delete from old_team_relation_uses where org_id = ${orgId}`);
  await tx.execute(sql`delete from old_team_relations where org_id = ${orgId}`);
}

/** Which of these names are relations that went and are still understood. */
export async function findOldRelations(
  reader: Reader,
  { orgId, key }: Pick<StoredBlueprint, 'orgId' | 'key'>,
  names: readonly string[],
  now: Date,
): Promise<Set<string>> {
  const rows = await reader.rows<{ relation: string }>(sql`
    select relation from old_team_relations
    where org_id = ${orgId} and blueprint_key = ${key} and relation = any(${names}) and until > ${now}`);
  return new Set(rows.map(({ relation }) => relation));
}

/** Writers do not wait for each other to be noted: what was noted within a minute is not noted again. */
const notedMs = 60_000;

export async function noteOldRelation(
  tx: Tx,
  { orgId, key }: Pick<StoredBlueprint, 'orgId' | 'key'>,
  relation: string,
  datasource: string,
  now: Date,
): Promise<void> {
  const where = sql`org_id = ${orgId} and blueprint_key = ${key} and relation = ${relation} and datasource = ${datasource}`;
  const known = await tx.first<{ lastSeen: Date }>(
    sql`select last_seen as "lastSeen" from old_team_relation_uses where ${where}`,
  );
  if (known && now.getTime() - known.lastSeen.getTime() < notedMs) return;
  await tx.execute(
    known
      ? sql`
          update old_team_relation_uses set last_seen = ${now} where ${where} and ctid in (
            select ctid from old_team_relation_uses where ${where} for update skip locked)`
      : sql`
          insert into old_team_relation_uses (org_id, blueprint_key, relation, datasource, first_seen, last_seen)
          values (${orgId}, ${key}, ${relation}, ${datasource}, ${now}, ${now}) on conflict do nothing`,
  );
}

/** Who still writes them, the last first. */
export function listOldRelationUses(reader: Reader, orgId: string): Promise<OldRelationUse[]> {
  return reader.rows<OldRelationUse>(sql`
    select b.identifier as blueprint, u.relation, u.datasource, u.first_seen as "firstSeen", u.last_seen as "lastSeen"
    from old_team_relation_uses u
    join blueprints b on b.org_id = u.org_id and b.key = u.blueprint_key
    where u.org_id = ${orgId} order by u.last_seen desc, b.identifier, u.relation, u.datasource limit 1000`);
}
