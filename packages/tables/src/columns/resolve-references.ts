import type { RowProblem } from '../table.ts';
import { type TableBlueprint, teamBlueprint } from './column.ts';
import { isIdentifier, slug } from './identifiers.ts';
import type { EntityLine, MappedRow } from './map-rows.ts';

/** Answers the entities of a blueprint whose identifier or title is one of the texts. */
export type FindEntities = (
  blueprint: string,
  texts: readonly string[],
) => Promise<readonly { readonly identifier: string; readonly title: string | null }[]>;

export interface ReferenceResolver {
  /** The rows with identifiers in place of titles. One look-up for each blueprint that they refer to. */
  resolve(rows: readonly MappedRow[]): Promise<MappedRow[]>;
}

/** Answers are remembered up to this many, then looked up anew. */
const rememberedMax = 100_000;

type Found = { readonly identifier: string } | { readonly ambiguous: number };

/**
 * People write titles where relations need identifiers. An identifier wins over a title; what is found as neither goes to
 * the server as it is, which may know it from another row of the same import.
 */
export function createReferenceResolver(blueprint: TableBlueprint, find: FindEntities): ReferenceResolver {
  const relations = blueprint.relations ?? {};
  const known = new Map<string, Map<string, Found>>();

  function targetOf(key: string): string {
    return relations[key]?.target ?? '';
  }

  async function lookUp(target: string, texts: ReadonlySet<string>): Promise<Map<string, Found>> {
    let remembered = known.get(target) ?? new Map<string, Found>();
    if (remembered.size > rememberedMax) remembered = new Map();
    known.set(target, remembered);
    const missing = [...texts].filter((text) => !remembered.has(text));
    if (missing.length === 0) return remembered;
    const entities = await find(target, missing);
    const identifiers = new Set(entities.map(({ identifier }) => identifier));
    for (const text of missing) {
      const titled = entities.filter(({ title }) => title === text);
      if (identifiers.has(text)) remembered.set(text, { identifier: text });
      else if (titled.length > 1) remembered.set(text, { ambiguous: titled.length });
      else remembered.set(text, { identifier: titled[0]?.identifier ?? fallback(text, target) });
    }
    return remembered;
  }

  async function resolve(rows: readonly MappedRow[]): Promise<MappedRow[]> {
    const wanted = new Map<string, Set<string>>();
    for (const row of rows) {
      if (!('entity' in row)) continue;
      for (const [target, names] of namesOf(row.entity, targetOf)) {
        const set = wanted.get(target) ?? new Set<string>();
        for (const name of names) set.add(name);
        wanted.set(target, set);
      }
    }
    const found = new Map<string, Map<string, Found>>();
    for (const [target, texts] of wanted) found.set(target, await lookUp(target, texts));
    return rows.map((row) => ('entity' in row ? resolved(row.row, row.entity, targetOf, found) : row));
  }

  return { resolve };
}

/** A team that nobody has yet stays as it was written: an owner may be named before it exists. */
function fallback(text: string, target: string): string {
  return isIdentifier(text) || target === teamBlueprint ? text : (slug(text) ?? text);
}

function namesOf(entity: EntityLine, targetOf: (key: string) => string): [target: string, names: readonly string[]][] {
  const relations = Object.entries(entity.relations ?? {}).map(([key, value]): [string, readonly string[]] => [
    targetOf(key),
    listed(value),
  ]);
  return [...relations, [teamBlueprint, listed(entity.team ?? null)] as [string, readonly string[]]].filter(
    ([, names]) => names.length > 0,
  );
}

function listed(value: string | readonly string[] | null): readonly string[] {
  if (value === null) return [];
  return typeof value === 'string' ? [value] : value;
}

function resolved(
  row: number,
  entity: EntityLine,
  targetOf: (key: string) => string,
  found: ReadonlyMap<string, ReadonlyMap<string, Found>>,
): MappedRow {
  const problems: RowProblem[] = [];
  const change = <Value extends string | readonly string[] | null>(value: Value, target: string): Value => {
    const one = (text: string): string => {
      const match = found.get(target)?.get(text);
      if (match && 'identifier' in match) return match.identifier;
      const count = match ? match.ambiguous : 0;
      problems.push({ row, message: `${count} entities of ${target} have the title "${text}". Write the identifier.` });
      return text;
    };
    if (value === null) return value;
    return (typeof value === 'string' ? one(value) : value.map(one)) as Value;
  };
  const relations = Object.entries(entity.relations ?? {}).map(([key, value]) => [key, change(value, targetOf(key))]);
  const changed: EntityLine = {
    ...entity,
    ...(entity.team === undefined ? {} : { team: change(entity.team, teamBlueprint) }),
    ...(entity.relations ? { relations: Object.fromEntries(relations) } : {}),
  };
  return problems.length > 0 ? { row, problems } : { row, entity: changed };
}

/** The body of a search for entities by identifier or title. */
export interface NamedSearch {
  readonly query: {
    readonly combinator: 'or';
    readonly rules: { readonly property: string; readonly operator: 'in'; readonly value: string[] }[];
  };
  readonly include: string[];
  readonly limit: number;
}

const textsAtOnce = 500;

/** Looks entities up by the search of one blueprint, in as many requests as the texts need. */
export function findBySearch(
  search: (blueprint: string, body: NamedSearch) => Promise<Awaited<ReturnType<FindEntities>>>,
): FindEntities {
  return async (blueprint, texts) => {
    const found: Awaited<ReturnType<FindEntities>>[] = [];
    for (let at = 0; at < texts.length; at += textsAtOnce) {
      const value = texts.slice(at, at + textsAtOnce);
      const rules = ['$identifier', '$title'].map((property) => ({ property, operator: 'in' as const, value }));
      const body = { query: { combinator: 'or' as const, rules }, include: ['$identifier', '$title'], limit: 1000 };
      found.push(await search(blueprint, body));
    }
    return found.flat();
  };
}
