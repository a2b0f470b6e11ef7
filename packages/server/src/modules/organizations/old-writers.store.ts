import { createHash } from 'node:crypto';
import sql from 'sql-template-tag';
import type { Actor } from '../../platform/actor.ts';
import type { Reader, Tx } from '../../platform/db/database.ts';
import { computed, field, fields, type RowOf, row } from '../../platform/db/row.ts';
import { newId } from '../../platform/ids.ts';
import type { Work } from '../../platform/unit-of-work.ts';

/** An old form in a write: a team by title, or a relation that became the teams. */
export interface OldWord {
  readonly kind: string;
  readonly identifier: string;
  readonly title?: string;
  readonly relation?: string;
}

const oldWriter = row({
  ...fields('old_team_writers', 'datasource', 'kind', 'identifier'),
  by: field('old_team_writers', 'written_by'),
  relation: computed.text.orNull(),
  /** The last title written. */
  title: computed.text.orNull(),
  /** Number of writes. */
  count: computed.number,
  firstSeen: computed.time,
  lastSeen: computed.time,
});

/** A program or person that still writes old forms. */
export type OldWriter = RowOf<typeof oldWriter>;

/**
 * Counts a write in its own transaction. Writers never block each other: if a row is locked they count in another, and
 * readers add them up.
 */
export async function noteOldWriter(
  { tx, actor, now }: Pick<Work, 'tx' | 'actor' | 'now'>,
  { kind, identifier, title, relation = '' }: OldWord,
): Promise<void> {
  const { orgId, model, id: by } = actor;
  const datasource = actor.webhook ? `webhook/${actor.webhook.identifier}` : actor.datasource;
  const place = createHash('sha256')
    .update(JSON.stringify([model, datasource, by, kind, identifier, relation]))
    .digest('hex');
  await tx.execute(sql`
    with counted as (
      update old_team_writers set count = count + 1, last_seen = ${now}, title = ${title ?? null}
      where org_id = ${orgId} and id = (
        select id from old_team_writers where org_id = ${orgId} and place = ${place}
        order by id limit 1 for update skip locked)
      returning 1)
    insert into old_team_writers (org_id, id, place, model, datasource, written_by, kind, identifier, relation, title,
      count, first_seen, last_seen)
    select ${orgId}, ${newId('ow_')}, ${place}, ${model}, ${datasource}, ${by}, ${kind}, ${identifier}, ${relation},
      ${title ?? null}, 1, ${now}, ${now}
    where not exists (select 1 from counted)`);
}

/** Who writes old forms under this model, most recent first. */
export function listOldWriters(reader: Reader, orgId: string, model: Actor['model']): Promise<OldWriter[]> {
  return reader.rows(oldWriter.sql`
    select datasource, written_by as by, kind, identifier, nullif(relation, '') as relation,
      (array_agg(title order by last_seen desc))[1] as title, sum(count)::int as count,
      min(first_seen) as "firstSeen", max(last_seen) as "lastSeen"
    from old_team_writers where org_id = ${orgId} and model = ${model}
    group by datasource, written_by, kind, identifier, relation
    order by max(last_seen) desc, kind, identifier, datasource, written_by limit 1000`);
}

/** Clears the counts of an earlier time under this model, before it starts again. */
export async function deleteOldWriters(tx: Tx, orgId: string, model: Actor['model']): Promise<void> {
  await tx.execute(sql`delete from old_team_writers where org_id = ${orgId} and model = ${model}`);
}
