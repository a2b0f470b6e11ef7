import sql, { type Sql } from 'sql-template-tag';

/** Absent filters do not apply. */
export interface RunFilters {
  readonly entity?: string | undefined;
  readonly blueprint?: string | undefined;
  readonly active?: string | undefined;
  readonly user_email?: string | undefined;
  readonly user_id?: string | undefined;
  readonly external_run_id?: string | undefined;
  readonly action?: string | undefined;
  readonly status?: string | undefined;
  readonly source?: readonly string[] | undefined;
  /** Only runs with a pending decision, including drafts. */
  readonly isWaiting?: boolean | undefined;
  /** Bounds of the moment of the request. */
  readonly from?: Date | undefined;
  readonly to?: Date | undefined;
  readonly limit: number;
}

const isActive = sql`r.status in ('WAITING_FOR_APPROVAL', 'IN_PROGRESS')`;

/** The filters as conditions on `action_runs r`. */
export function runConditions(filters: RunFilters): Sql[] {
  const { entity, blueprint, active, external_run_id: externalId, action, status, source } = filters;
  const who = filters.user_email ?? filters.user_id;
  const isWanted = active?.toLowerCase();
  return [
    ...(filters.isWaiting ? [sql`r.status in ('DRAFT', 'WAITING_FOR_APPROVAL')`] : []),
    ...(status === undefined && !filters.isWaiting ? [sql`r.status <> 'DRAFT'`] : []),
    ...(status === undefined ? [] : [sql`r.status = ${status}`]),
    ...(entity === undefined ? [] : [sql`r.entity = ${entity}`]),
    ...(blueprint === undefined ? [] : [sql`r.blueprint = ${blueprint}`]),
    ...(isWanted === 'true' ? [isActive] : []),
    ...(isWanted === 'false' ? [sql`not ${isActive}`] : []),
    ...(who === undefined
      ? []
      : [
          sql`(r.created_by = ${who} or r.created_by = (
            select u.identifier from users u where u.org_id = r.org_id and u.key = ${who}))`,
        ]),
    ...(externalId === undefined ? [] : [sql`r.external_run_id = ${externalId}`]),
    ...(action === undefined ? [] : [sql`r.action_identifier = ${action}`]),
    ...(filters.from === undefined ? [] : [sql`r.created_at >= ${filters.from}`]),
    ...(filters.to === undefined ? [] : [sql`r.created_at <= ${filters.to}`]),
    ...(source === undefined ? [] : [sql`r.source = any(${[...source]})`]),
  ];
}

export function olderThan(id: string): Sql {
  return sql`r.key < (select k.key from action_runs k where k.org_id = r.org_id and k.id = ${id})`;
}

export function ofInvocation(id: string): Sql {
  return sql`r.invocation ->> 'id' = ${id}`;
}

export function oneOf(ids: readonly string[]): Sql {
  return sql`r.id = any(${[...ids]})`;
}
