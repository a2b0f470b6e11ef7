import sql, { type Sql } from 'sql-template-tag';

/** A moment of use of a credential or token. */
export interface Use {
  readonly orgId: string;
  readonly id: string;
  readonly at: Date;
}

/** Updates last-used moments that are newer than the stored ones. */
export function touchCredentials(uses: readonly Use[]): Sql {
  return sql`
    update credentials c set last_used_at = n.at from ${latest(uses)}
    where c.org_id = n.org_id and c.client_id = n.id and (c.last_used_at is null or c.last_used_at < n.at)`;
}

/** The uses as rows `n`, in the same order on all replicas to avoid deadlocks. */
export function latest(uses: readonly Use[]): Sql {
  const ordered = [...uses].sort((a, b) => compare(a.orgId, b.orgId) || compare(a.id, b.id));
  const column = (pick: (use: Use) => string) => ordered.map(pick);
  return sql`(
    select * from unnest(${column(({ orgId }) => orgId)}::text[], ${column(({ id }) => id)}::text[],
      ${column(({ at }) => at.toISOString())}::timestamptz[]) as u(org_id, id, at) order by u.org_id, u.id) n`;
}

function compare(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}
