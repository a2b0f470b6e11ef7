import type { UnknownPart } from '@portolan/contract/as-of';
import type { Reader } from '../../../platform/db/database.ts';
import { blueprintRelations, type StoredBlueprint } from '../../blueprints/index.ts';
import type { Relations } from '../../entity-rows/index.ts';
import {
  type AskedName,
  findLostNames,
  findNewNames,
  listBlueprintsWithDeletions,
  listRenamedBlueprints,
  type NamedSpan,
} from '../../journal/index.ts';
import type { PastValues, Sides } from './past-values.ts';

/** Bounds the renamings of one entity that are followed. */
export const renamesMax = 20;

interface Item {
  readonly sides: Sides;
  readonly found: PastValues;
}

interface PastRelations {
  readonly relations: Relations;
  readonly unknown: readonly UnknownPart[];
}

const start = new Date(0);

/**
 * Relations with the identifiers that their targets had at the moment. Renaming or deleting a target changes what points
 * to it without a record of that, so the names of the earlier state are followed forward, or those of the later one back.
 */
export async function followTargets(
  reader: Reader,
  blueprint: StoredBlueprint,
  items: readonly Item[],
  at: Date,
): Promise<PastRelations[]> {
  const { orgId } = blueprint;
  const definitions = blueprintRelations(blueprint);
  const targets = [...new Set(Object.values(definitions).map(({ target }) => target))];
  if (targets.length === 0) return items.map(({ found }) => ({ relations: {}, unknown: found.unknown }));
  const since = items.reduce(
    (first, { sides }) => (sides.earlier && sides.earlier.at < first ? sides.earlier.at : first),
    at,
  );
  const needsDeletions = items.some(({ sides }) => !sides.earlier);
  const [renamed, names, lossy] = await Promise.all([
    listRenamedBlueprints(reader, orgId, targets, since),
    namesThen(reader, orgId, items, definitions, at),
    listBlueprintsWithDeletions(reader, orgId, needsDeletions ? targets : [], at),
  ]);
  return items.map(({ sides, found }, index) => {
    const unknown = [...found.unknown];
    const relations: Record<string, string | readonly string[]> = {};
    for (const [key, { target, many }] of Object.entries(definitions)) {
      const reasonOf = () => {
        if (renamed.includes(target)) return `The blueprint "${target}" was renamed since`;
        const isWhole = sides.earlier || !lossy.includes(target) || (!many && found.values[key] !== undefined);
        return isWhole
          ? undefined
          : `Entities of "${target}" were deleted since, and the journal has no earlier record`;
      };
      const reason = reasonOf();
      if (reason !== undefined) unknown.push({ path: `relations.${key}`, reason });
      const then = identifiersIn(found.values[key]).flatMap((name) => names(index, target, name) ?? []);
      const value = Array.isArray(found.values[key]) ? then : then[0];
      if (value !== undefined && value.length > 0) relations[key] = value;
    }
    return { relations, unknown };
  });
}

function identifiersIn(value: unknown): string[] {
  return [value].flat().filter((each): each is string => typeof each === 'string');
}

/** Finds the name that a target of an item had at the moment; null if it was gone. */
async function namesThen(
  reader: Reader,
  orgId: string,
  items: readonly Item[],
  definitions: Readonly<Record<string, { readonly target: string }>>,
  at: Date,
): Promise<(index: number, target: string, name: string) => string | null> {
  const forward = new Map<string, AskedName>();
  const back = new Map<string, NamedSpan>();
  const keyOf = (index: number, blueprint: string, name: string) => {
    const { earlier, later } = (items[index] as Item).sides;
    return JSON.stringify([earlier ? 'earlier' : 'later', earlier?.key ?? later.key, blueprint, name]);
  };
  for (const [index, { sides, found }] of items.entries()) {
    const { earlier, later } = sides;
    for (const [key, { target: blueprint }] of Object.entries(definitions)) {
      for (const name of identifiersIn(found.values[key])) {
        const asked = keyOf(index, blueprint, name);
        if (earlier) forward.set(asked, { blueprint, name, after: earlier, until: at });
        else back.set(asked, { blueprint, name, since: start, until: Number.isFinite(later.key) ? later : undefined });
      }
    }
  }
  const names = new Map([
    ...(await followForward(reader, orgId, forward)),
    ...(await followBack(reader, orgId, back, at)),
  ]);
  return (index, target, name) => names.get(keyOf(index, target, name)) ?? null;
}

async function followForward(
  reader: Reader,
  orgId: string,
  asked: ReadonlyMap<string, AskedName>,
): Promise<[string, string | null][]> {
  const names = new Map<string, string | null>([...asked].map(([key, { name }]) => [key, name]));
  let open = [...asked];
  for (let round = 0; open.length > 0 && round < renamesMax; round += 1) {
    const lost = await findLostNames(
      reader,
      orgId,
      open.map(([, each]) => each),
    );
    open = lost.flatMap(({ place, newName, ...after }): [string, AskedName][] => {
      const [key, before] = open[place] as [string, AskedName];
      names.set(key, newName);
      return newName === null ? [] : [[key, { ...before, name: newName, after }]];
    });
  }
  return [...names];
}

async function followBack(
  reader: Reader,
  orgId: string,
  asked: ReadonlyMap<string, NamedSpan>,
  at: Date,
): Promise<[string, string][]> {
  const names = new Map([...asked].map(([key, { name }]) => [key, name]));
  let open = [...asked];
  for (let round = 0; open.length > 0 && round < renamesMax; round += 1) {
    const taken = await findNewNames(
      reader,
      orgId,
      open.map(([, each]) => each),
      at,
    );
    open = taken.map(({ place, renamedFrom, ...until }): [string, NamedSpan] => {
      const [key, later] = open[place] as [string, NamedSpan];
      names.set(key, renamedFrom);
      return [key, { ...later, name: renamedFrom, until }];
    });
  }
  return [...names];
}
