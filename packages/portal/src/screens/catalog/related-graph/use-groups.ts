import type { Blueprint } from '@portolan/contract/blueprints';
import { useQueries } from '@tanstack/react-query';
import { call } from '../../../api/api.ts';
import type { Field, FieldEntity } from '../../../parts/entities/fields.ts';
import type { Query } from '../../../parts/entities/operators.ts';
import { type FoundEntity, searchBody } from '../../../parts/entities/use-entities.ts';
import type { Connection } from '../connections.ts';
import { readStatus, worstFirst } from './status.ts';

const rowsShown = 5;
/** The newest of a group, of which the worst are shown first. */
const looked = 50;
/** The server takes no longer lists of identifiers. */
const identifiersMax = 200;

type Model = Pick<Blueprint, 'identifier' | 'title' | 'icon' | 'relations' | 'schema'>;

/** The entities at the other end of one relation: how many there are, and those to show. */
export interface Group {
  readonly connection: Connection;
  readonly target: Model | undefined;
  readonly status: Field | undefined;
  readonly count: number;
  readonly rows: readonly FoundEntity[];
}

export interface ReadGroup {
  readonly connection: Connection;
  readonly group: Group | undefined;
  readonly error: Error | null;
  readonly retry: () => void;
}

/** The groups of an entity, each read alone, so that each fails alone. `sought` is a part of the title. */
export function useGroups(
  connections: readonly Connection[],
  blueprints: readonly Model[],
  sought: string,
): readonly ReadGroup[] {
  return useQueries({
    queries: connections.map((connection) => {
      const target = blueprints.find(({ identifier }) => identifier === connection.blueprint);
      const status = target && readStatus(target);
      return {
        queryKey: ['searchBlueprintEntities', 'groups', connection.blueprint, connection.query, sought, status?.key],
        queryFn: ({ signal }: { signal: AbortSignal }) => readGroup(connection, target, status, sought, signal),
      };
    }),
    combine: (answers) =>
      answers.map(
        ({ data, error, refetch }, index): ReadGroup => ({
          connection: connections[index]!,
          group: data,
          error,
          retry: () => void refetch(),
        }),
      ),
  });
}

async function readGroup(
  connection: Connection,
  target: Model | undefined,
  status: Field | undefined,
  sought: string,
  signal: AbortSignal,
): Promise<Group> {
  const { query, listed } = shortened(connection.query);
  const shown = { connection, target, status };
  if (listed === 0) return { ...shown, count: 0, rows: [] };
  const wanted = sought
    ? { ...query, rules: [...query.rules, { property: '$title', operator: 'contains', value: sought }] }
    : query;
  const params = { blueprint_identifier: connection.blueprint };
  const include = ['$title', '$identifier', '$icon', ...(status ? [status.key] : [])];
  const body = searchBody(
    { blueprint: connection.blueprint, query: wanted, include, sort: [{ property: '$updatedAt', order: 'desc' }] },
    looked,
  );
  const { entities, next } = await call('searchBlueprintEntities', { params, body, signal });
  const rows = worstFirst(entities as readonly FieldEntity[], status).slice(0, rowsShown) as readonly FoundEntity[];
  if (next === undefined) return { ...shown, count: entities.length, rows };
  if (listed !== undefined && !sought) return { ...shown, count: listed, rows };
  const { total } = await call('groupBlueprintEntities', {
    params,
    body: { ...(body.query ? { query: body.query } : {}), groupBy: '$blueprint', limit: 1 },
    signal,
  });
  return { ...shown, count: total, rows };
}

/** The query with no more identifiers than the server takes, and how many it listed before, if it lists any. */
function shortened(query: Query): { query: Query; listed: number | undefined } {
  const [rule] = query.rules;
  if (!rule || !('property' in rule) || rule['property'] !== '$identifier' || !Array.isArray(rule['value']))
    return { query, listed: undefined };
  const identifiers = rule['value'] as readonly string[];
  const first = { ...rule, operator: 'in', value: identifiers.slice(0, identifiersMax) };
  return { query: { ...query, rules: [first, ...query.rules.slice(1)] }, listed: identifiers.length };
}
