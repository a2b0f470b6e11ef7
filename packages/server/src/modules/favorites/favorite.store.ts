import sql from 'sql-template-tag';
import type { Reader, Tx } from '../../platform/db/database.ts';
import { json } from '../../platform/db/json.ts';
import { field, row } from '../../platform/db/row.ts';
import type { FavoriteTarget } from './favorite-target.ts';

const favoritesRow = row({ targets: field('favorites', 'targets').as<readonly FavoriteTarget[]>() });

/** In the person's order. */
export async function findTargets(reader: Reader, orgId: string, user: string): Promise<readonly FavoriteTarget[]> {
  const found = await reader.first(favoritesRow.sql`
    select f.targets from users u join favorites f on f.org_id = u.org_id and f.user_key = u.key
    where u.org_id = ${orgId} and u.identifier = ${user}`);
  return found?.targets ?? [];
}

/** Replaces the list. */
export async function writeTargets(
  tx: Tx,
  orgId: string,
  user: string,
  targets: readonly FavoriteTarget[],
): Promise<void> {
  await tx.execute(sql`
    insert into favorites (org_id, user_key, targets)
    select ${orgId}, u.key, ${json(targets)}::jsonb from users u where u.org_id = ${orgId} and u.identifier = ${user}
    on conflict (org_id, user_key) do update set targets = excluded.targets`);
}
