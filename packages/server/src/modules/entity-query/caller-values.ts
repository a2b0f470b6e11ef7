import type { ContextValue, Scalar } from '@portolan/contract/search-values';
import sql from 'sql-template-tag';
import type { Actor } from '../../platform/actor.ts';
import { ownValue } from '../../platform/collections.ts';
import type { Reader } from '../../platform/db/database.ts';
import type { CallerValues } from './compile-context.ts';

interface Row {
  readonly identifier: string;
  readonly title: string | null;
  readonly team: readonly string[];
  readonly properties: Readonly<Record<string, unknown>>;
}

/**
 * The values rules may read of the caller (catalog semantics §3.7): the `_user` entity, and the `_team` entities of
 * their teams, without hidden properties, which a rule on a constant would reveal. Undefined for machines.
 */
export async function readCallerValues(
  reader: Reader,
  actor: Actor,
  teamForm: 'identifier' | 'title',
  isHidden: (blueprint: string, property: string) => boolean,
): Promise<CallerValues | undefined> {
  if (actor.userId === undefined) return undefined;
  const teams = await teamRows(reader, actor);
  const names = teams.map(({ identifier, title }) => (teamForm === 'title' ? (title ?? identifier) : identifier));
  const user = (await userRow(reader, actor)) ?? { identifier: actor.userId, title: null, properties: {} };
  const users = [{ ...user, team: names }];
  return ({ context, property }: ContextValue) => {
    if (isHidden(context === 'user' ? '_user' : '_team', property)) return undefined;
    return (context === 'user' ? users : teams).flatMap((row) => scalarsOf(readValue(row, property)));
  };
}

function userRow(reader: Reader, { orgId, userId }: Actor): Promise<Omit<Row, 'team'> | undefined> {
  return reader.first<Omit<Row, 'team'>>(sql`
    select e.identifier, e.title, e.derived || e.relations || e.properties as properties
    from blueprints b join entities e on e.org_id = b.org_id and e.blueprint_key = b.key
    where b.org_id = ${orgId} and b.identifier = '_user' and e.identifier = ${userId}`);
}

async function teamRows(reader: Reader, { orgId, teamKeys }: Actor): Promise<Row[]> {
  if (teamKeys.length === 0) return [];
  return reader.rows<Row>(sql`
    select t.identifier, t.title, '{}'::text[] as team,
      coalesce(e.derived || e.relations || e.properties, '{}'::jsonb) as properties
    from teams t
    left join blueprints b on b.org_id = t.org_id and b.identifier = '_team'
    left join entities e on e.org_id = t.org_id and e.blueprint_key = b.key and e.identifier = t.identifier
    where t.org_id = ${orgId} and t.key = any(${teamKeys}) order by t.identifier`);
}

function readValue(row: Row, property: string): unknown {
  switch (property) {
    case '$identifier':
      return row.identifier;
    case '$title':
      return row.title;
    case '$team':
      return row.team;
    default:
      return ownValue(row.properties, property);
  }
}

function scalarsOf(value: unknown): Scalar[] {
  const list: readonly unknown[] = Array.isArray(value) ? value : [value];
  return list.filter((each): each is Scalar => ['string', 'number', 'boolean'].includes(typeof each));
}
