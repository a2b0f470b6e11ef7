import type { ContextValue, Scalar } from '@portolan/contract/search-values';
import type { Actor } from '../../platform/actor.ts';
import { ownValue } from '../../platform/collections.ts';
import type { Reader } from '../../platform/db/database.ts';
import { type CallerRow, findCallerEntity, listCallerTeams } from './caller.store.ts';
import type { CallerValues } from './compile-context.ts';

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
  const teams = await listCallerTeams(reader, actor);
  const names = teams.map(({ identifier, title }) => (teamForm === 'title' ? (title ?? identifier) : identifier));
  const user = (await findCallerEntity(reader, actor)) ?? { identifier: actor.userId, title: null, properties: {} };
  const users = [{ ...user, team: names }];
  return ({ context, property }: ContextValue) => {
    if (isHidden(context === 'user' ? '_user' : '_team', property)) return undefined;
    return (context === 'user' ? users : teams).flatMap((row) => toScalars(readValue(row, property)));
  };
}

function readValue(row: CallerRow, property: string): unknown {
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

function toScalars(value: unknown): Scalar[] {
  const list: readonly unknown[] = Array.isArray(value) ? value : [value];
  return list.filter((each): each is Scalar => ['string', 'number', 'boolean'].includes(typeof each));
}
