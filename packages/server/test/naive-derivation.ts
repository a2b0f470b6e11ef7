import type { BlueprintBody } from '@portolan/contract/blueprints';
import sql from 'sql-template-tag';
import type { Database } from '../src/platform/db/database.ts';

/** Everything an organization stores that values are derived from, with what was derived. */
export interface Snapshot {
  readonly blueprints: readonly {
    readonly key: number;
    readonly identifier: string;
    readonly definition: Definition;
  }[];
  readonly entities: readonly Row[];
  readonly teams: readonly { readonly key: string; readonly identifier: string }[];
}

type Definition = Omit<BlueprintBody, 'identifier'>;

export interface Row {
  readonly blueprint: string;
  readonly identifier: string;
  readonly title: string | null;
  readonly properties: Readonly<Record<string, unknown>>;
  readonly relations: Readonly<Record<string, string | string[]>>;
  readonly derived: Readonly<Record<string, unknown>>;
  readonly own: readonly string[];
  readonly teams: readonly string[];
  readonly createdAt: Date;
}

export async function takeSnapshot(database: Database, orgId: string): Promise<Snapshot> {
  return {
    blueprints: await database.rows(sql`select key, identifier, definition from blueprints where org_id = ${orgId}`),
    teams: await database.rows(sql`select key, identifier from teams where org_id = ${orgId}`),
    entities: await database.rows(sql`
      select b.identifier as blueprint, e.identifier, e.title, e.properties, e.relations, e.derived,
        e.own_team_refs as own, e.team_refs as teams, e.created_at as "createdAt"
      from entities e join blueprints b on b.org_id = e.org_id and b.key = e.blueprint_key
      where e.org_id = ${orgId} order by e.key`),
  };
}

/** Calculations whose meaning is written out here once more. */
export const calculations: Readonly<Record<string, { readonly type: string; apply(see: See): unknown }>> = {
  '(.properties.n // 0) + (.properties.a0 // 0)': {
    type: 'number',
    apply: (see) => ((see('n') as number) ?? 0) + ((see('a0') as number) ?? 0),
  },
  'if .properties.m0 == null then "none" else (.properties.m0 | tostring) end': {
    type: 'string',
    apply: (see) => {
      const value = see('m0');
      return value === null ? 'none' : typeof value === 'string' ? value : JSON.stringify(value);
    },
  },
  '.team | length': { type: 'number', apply: (see) => (see('$team') as unknown[]).length },
  '.title | ascii_upcase': {
    type: 'string',
    apply: (see) => (see('$title') as string | null)?.toUpperCase() ?? null,
  },
  '[.relations.r0] | flatten | map(select(. != null)) | length': {
    type: 'number',
    apply: (see) => [see('r0')].flat().filter((each) => each !== null).length,
  },
  '.properties | keys | length | tostring | tonumber': { type: 'number', apply: (see) => see('*') },
};
type See = (name: string) => unknown;

interface Derived {
  readonly derived: Record<string, unknown>;
  readonly teams: readonly string[];
}

/** Derives everything anew, entity by entity and value by value, as the dossier words it: slow, and with no plan. */
function deriveNaively({ blueprints, entities, teams }: Snapshot): Map<Row, Derived> {
  const definitionOf = new Map(blueprints.map(({ identifier, definition }) => [identifier, definition]));
  const byName = new Map(entities.map((row) => [`${row.blueprint}/${row.identifier}`, row]));
  const find = (blueprint: string, identifier: string) => byName.get(`${blueprint}/${identifier}`);
  const listOf = (value: unknown): string[] =>
    value === undefined || value === null ? [] : ([value].flat() as string[]);

  const kindOf = (blueprint: string, name: string): string | undefined => {
    const definition = definitionOf.get(blueprint);
    if (!definition) return undefined;
    if (name in definition.schema.properties) return 'property';
    if (definition.relations && name in definition.relations) return 'relation';
    if (definition.mirrorProperties && name in definition.mirrorProperties) return 'mirror';
    if (definition.aggregationProperties && name in definition.aggregationProperties) return 'aggregation';
    return definition.calculationProperties && name in definition.calculationProperties ? 'calculation' : undefined;
  };
  const targetOf = (blueprint: string, hop: string): string | undefined => {
    const target = hop === '$team' ? '_team' : definitionOf.get(blueprint)?.relations?.[hop]?.target;
    return target !== undefined && definitionOf.has(target) ? target : undefined;
  };
  const blueprintsAlong = (start: string, hops: readonly string[]): string[] | undefined => {
    const along = [start];
    for (const hop of hops) {
      const next = targetOf(along.at(-1) as string, hop);
      if (next === undefined) return undefined;
      along.push(next);
    }
    return along;
  };
  const pathOf = (blueprint: string): string | undefined => {
    const definition = definitionOf.get(blueprint);
    if (definition?.ownership) {
      return definition.ownership.type === 'Inherited' ? definition.ownership.path : undefined;
    }
    return definition?.teamInheritance?.path;
  };

  /** The names a definition reads, as `blueprint/name`; undefined where its path leads nowhere. */
  const readsOf = (blueprint: string, name: string): string[] | undefined => {
    const definition = definitionOf.get(blueprint);
    const throughTeams = (along: string[], hops: readonly string[]) =>
      hops.flatMap((hop, index) => (hop === '$team' ? [`${along[index]}/$team`] : []));
    if (name === '$team') {
      const hops = pathOf(blueprint)
        ?.split('.')
        .filter((hop) => hop !== '$team');
      const along = hops && blueprintsAlong(blueprint, hops);
      return along && along.at(-1) !== '_team' ? [`${along.at(-1)}/$team`] : [];
    }
    const kind = kindOf(blueprint, name);
    if (kind === 'mirror') {
      const hops = (definition?.mirrorProperties?.[name]?.path ?? '').split('.');
      const last = hops.pop() as string;
      const along = blueprintsAlong(blueprint, hops);
      if (!along) return undefined;
      const end = along.at(-1) as string;
      if (!last.startsWith('$') && ['relation', undefined].includes(kindOf(end, last))) return undefined;
      return [...throughTeams(along, hops), `${end}/${last}`];
    }
    if (kind === 'aggregation') {
      const { aggregationProperties = {} } = definition as Definition;
      const { target, calculationSpec, query, pathFilter } = aggregationProperties[name] as never as {
        target: string;
        calculationSpec: Record<string, string>;
        query?: { rules: { property: string }[] };
        pathFilter?: { path: string[]; fromBlueprint?: string }[];
      };
      const names = [
        ...(query?.rules.map(({ property }) => property) ?? []),
        ...(calculationSpec['property'] ? [calculationSpec['property']] : []),
      ];
      const filter = pathFilter?.[0];
      const start = filter?.fromBlueprint ?? blueprint;
      const along = blueprintsAlong(start, filter?.path ?? []);
      // a path that ends elsewhere than at the other side leads nowhere
      const goal = filter?.fromBlueprint === target ? blueprint : target;
      if (!along || (filter && along.at(-1) !== goal)) return undefined;
      return [...throughTeams(along, filter?.path ?? []), ...names.map((each) => `${target}/${each}`)];
    }
    if (kind === 'calculation') {
      const source = definition?.calculationProperties?.[name]?.calculation ?? '';
      const all = [
        ...Object.keys(definition?.mirrorProperties ?? {}),
        ...Object.keys(definition?.aggregationProperties ?? {}),
      ];
      // which keys there are is decided by the blueprint: counting them reads no value
      const read = all.filter((each) => source.includes(`.${each}`));
      return [...read, ...(source.includes('.team') ? ['$team'] : [])].map((each) => `${blueprint}/${each}`);
    }
    return [];
  };
  const isCircular = (blueprint: string, name: string): boolean => {
    const goal = `${blueprint}/${name}`;
    const seen = new Set<string>();
    const waiting = [...(readsOf(blueprint, name) ?? [])];
    for (let at = waiting.pop(); at !== undefined; at = waiting.pop()) {
      if (at === goal) return true;
      if (seen.has(at)) continue;
      seen.add(at);
      const [head = '', tail = ''] = at.split('/');
      waiting.push(...(readsOf(head, tail) ?? []));
    }
    return false;
  };

  const step = (row: Row, hop: string): Row[] => {
    const target = targetOf(row.blueprint, hop);
    if (target === undefined) return [];
    const identifiers =
      hop === '$team'
        ? teamsOf(row).flatMap((key) => teams.find((team) => team.key === key)?.identifier ?? [])
        : listOf(row.relations[hop]);
    return identifiers.flatMap((identifier) => find(target, identifier) ?? []);
  };
  const walk = (row: Row, hops: readonly string[]): Row[] =>
    hops.reduce((rows, hop) => rows.flatMap((each) => step(each, hop)), [row]);

  const teamsOf = (row: Row): readonly string[] => {
    const path = pathOf(row.blueprint);
    if (path === undefined) return row.own;
    const hops = path.split('.').filter((hop) => hop !== '$team');
    if (hops.length === 0 || isCircular(row.blueprint, '$team')) return [];
    const ends = walk(row, hops);
    return [
      ...new Set(
        ends.flatMap((end) =>
          end.blueprint === '_team'
            ? teams.filter(({ identifier }) => identifier === end.identifier).map(({ key }) => key)
            : teamsOf(end),
        ),
      ),
    ];
  };

  const see = (row: Row, name: string): unknown => {
    if (name === '$title') return row.title;
    if (name === '$identifier') return row.identifier;
    if (name === '$blueprint') return row.blueprint;
    if (name === '$team') {
      return teamsOf(row).flatMap((key) =>
        key.startsWith('?') ? [key.slice(1)] : teams.filter((team) => team.key === key).map((team) => team.identifier),
      );
    }
    const kind = kindOf(row.blueprint, name);
    if (kind === 'property') return row.properties[name] ?? null;
    if (kind === 'relation') return row.relations[name] ?? null;
    return kind === undefined ? null : derive(row, name);
  };

  const derive = (row: Row, name: string): unknown => {
    const definition = definitionOf.get(row.blueprint) as Definition;
    const kind = kindOf(row.blueprint, name);
    if (kind !== 'calculation' && (readsOf(row.blueprint, name) === undefined || isCircular(row.blueprint, name))) {
      return null;
    }
    if (kind === 'mirror') {
      const hops = (definition.mirrorProperties?.[name]?.path ?? '').split('.');
      const last = hops.pop() as string;
      const along = blueprintsAlong(row.blueprint, hops) as string[];
      const isMany = hops.some(
        (hop, index) => hop === '$team' || definitionOf.get(along[index] as string)?.relations?.[hop]?.many,
      );
      const values = walk(row, hops)
        .map((end) => see(end, last))
        .filter((value) => value !== null);
      return isMany ? values.flat() : (values[0] ?? null);
    }
    if (kind === 'calculation') {
      const calculation = definition.calculationProperties?.[name] as { calculation: string };
      const { schema, mirrorProperties, aggregationProperties } = definition;
      const count = [schema.properties, mirrorProperties, aggregationProperties].flatMap((map) =>
        Object.keys(map ?? {}),
      );
      return calculations[calculation.calculation]?.apply((each) => {
        if (each === '*') return count.length;
        return kindOf(row.blueprint, each) === 'calculation' ? null : see(row, each);
      });
    }
    return aggregate(row, definition.aggregationProperties?.[name] as never);
  };

  const related = (row: Row, target: string, filter: { path: string[]; fromBlueprint?: string } | undefined): Row[] => {
    if (!filter)
      return [...new Set([...reach(row, outOf), ...reach(row, into)])].filter((each) => each.blueprint === target);
    if (filter.fromBlueprint === target) {
      return entities.filter((each) => each.blueprint === target && walk(each, filter.path).includes(row));
    }
    return [...new Set(walk(row, filter.path))];
  };
  const outOf = (row: Row): Row[] =>
    Object.keys(definitionOf.get(row.blueprint)?.relations ?? {}).flatMap((hop) => step(row, hop));
  const into = (row: Row): Row[] => entities.filter((each) => outOf(each).includes(row));
  const reach = (row: Row, next: (at: Row) => Row[]): Row[] => {
    const seen = new Set<Row>([row]);
    for (const at of seen) for (const each of next(at)) seen.add(each);
    seen.delete(row);
    return [...seen];
  };

  const aggregate = (
    row: Row,
    spec: {
      target: string;
      calculationSpec: { func: string; property?: string; averageOf?: string };
      query?: { rules: { property: string; operator: string; value: number }[] };
      pathFilter?: { path: string[]; fromBlueprint?: string }[];
    },
  ): number | null => {
    const { func, property, averageOf } = spec.calculationSpec;
    const matching = related(row, spec.target, spec.pathFilter?.[0]).filter((each) =>
      (spec.query?.rules ?? []).every((rule) => {
        const value = see(each, rule.property);
        return typeof value === 'number' && value > rule.value;
      }),
    );
    if (func === 'count') return matching.length;
    if (property === undefined) return matching.length === 0 ? null : matching.length / periods(matching, averageOf);
    const having = matching.filter((each) => typeof see(each, property) === 'number');
    const values = having.map((each) => see(each, property) as number).sort((a, b) => a - b);
    const sum = values.reduce((total, value) => total + value, 0);
    if (func === 'sum') return sum;
    if (values.length === 0) return null;
    if (func === 'min') return values[0] as number;
    if (func === 'max') return values.at(-1) as number;
    if (func === 'average') return averageOf === 'total' ? sum / values.length : sum / periods(having, averageOf);
    const middle = (values.length - 1) / 2;
    return ((values[Math.floor(middle)] as number) + (values[Math.ceil(middle)] as number)) / 2;
  };
  const periods = (rows: readonly Row[], averageOf = 'total'): number => {
    const hours = { hour: 1, day: 24, week: 168, month: 720, total: Number.POSITIVE_INFINITY }[averageOf] as number;
    const times = rows.map(({ createdAt }) => createdAt.getTime());
    return Math.max(1, Math.ceil((Math.max(...times) - Math.min(...times)) / 3_600_000 / hours));
  };

  return new Map(
    entities.map((row) => {
      const { mirrorProperties, aggregationProperties, calculationProperties } = definitionOf.get(
        row.blueprint,
      ) as Definition;
      const names = [mirrorProperties, aggregationProperties, calculationProperties].flatMap((map) =>
        Object.keys(map ?? {}),
      );
      const derived = Object.fromEntries(
        names.map((name) => [name, derive(row, name)]).filter(([, value]) => value !== null && value !== undefined),
      ) as Record<string, unknown>;
      return [row, { derived, teams: teamsOf(row) }];
    }),
  );
}

/** Where what is stored differs from the naive derivation; empty if it does not. */
export function differencesIn(snapshot: Snapshot): unknown[] {
  const rounded = (value: unknown): string =>
    JSON.stringify(value, (_key, each) => (typeof each === 'number' ? Number(each.toPrecision(9)) : each));
  return [...deriveNaively(snapshot)].flatMap(([row, expected]) => {
    const names = new Set([...Object.keys(row.derived), ...Object.keys(expected.derived)]);
    const wrong = [...names].filter(
      (name) => rounded(row.derived[name] ?? null) !== rounded(expected.derived[name] ?? null),
    );
    const differences = wrong.map((name) => ({
      entity: `${row.blueprint}/${row.identifier}`,
      name,
      stored: row.derived[name],
      expected: expected.derived[name],
    }));
    const isOwned = JSON.stringify(row.teams) === JSON.stringify(expected.teams);
    return isOwned
      ? differences
      : [
          ...differences,
          { entity: `${row.blueprint}/${row.identifier}`, name: '$team', stored: row.teams, expected: expected.teams },
        ];
  });
}
