import type { PackChange } from '@portolan/contract/packs';
import type { Reader } from '../../platform/db/database.ts';
import type { EntityListener } from '../blueprints/index.ts';
import type { Definitions } from './installed-definitions.ts';
import { countEntities, hasPropertyValues, type MadeItem } from './pack.store.ts';
import { hashDefinition, type Item, isPart, itemId } from './pack-item.ts';
import { presentItem } from './plan-install.ts';

export interface RemovalChoices {
  readonly deleteEntities: Readonly<Record<string, number>>;
  readonly deleteValues: boolean;
}

/** What becomes of one item that the pack made and that is still there. */
export interface PlannedRemoval {
  readonly item: Item;
  readonly change: 'removed' | 'kept' | 'shared';
  readonly reason?: string;
  readonly entities?: number;
}

/** More than that are not deleted within one transaction. */
const entitiesMax = 10_000;

interface Facts {
  readonly definitions: Definitions;
  readonly own: ReadonlyMap<string, Item>;
  /** Own items that are still as the pack made them, and that no other pack has. */
  readonly untouched: ReadonlySet<string>;
  readonly isMade: (blueprint: string) => boolean;
}

/**
 * What removing a pack takes along. A blueprint stays with all its parts if anybody changed it, added to it, built on it
 * or filled it; parts the pack added to other blueprints go one by one.
 */
export async function planRemoval(
  reader: Reader,
  orgId: string,
  pack: string,
  { definitions, made, listener }: PlanInput,
  choices: RemovalChoices,
): Promise<PlannedRemoval[]> {
  const mine = made.filter((each) => each.pack === pack);
  const others = new Set(made.filter((each) => each.pack !== pack).map(itemId));
  const own = new Map<string, Item>();
  const untouched = new Set<string>();
  for (const each of mine) {
    const id = itemId(each);
    const item = definitions.items.get(id);
    if (!item) continue;
    own.set(id, item);
    if (!others.has(id) && hashDefinition(item) === each.hash) untouched.add(id);
  }
  const isMade = (blueprint: string): boolean => {
    const id = itemId({ kind: 'blueprint', blueprint: '', identifier: blueprint });
    return own.has(id) && !others.has(id);
  };
  const facts: Facts = { definitions, own, untouched, isMade };
  const keptBlueprints = await findKeptBlueprints(reader, orgId, facts, choices);
  const filled = choices.deleteValues ? new Set<string>() : await findFilledParts(reader, orgId, facts, listener);
  keepTargets(facts, keptBlueprints, filled);
  return [...own].map(([id, item]) => {
    if (others.has(id)) return { item, change: 'shared' as const, reason: 'Another starter model has it too' };
    if (item.kind === 'blueprint') {
      const kept = keptBlueprints.get(item.identifier);
      return kept ? { item, change: 'kept' as const, ...kept } : { item, change: 'removed' as const };
    }
    const isPartOfMade = isPart(item) && isMade(item.blueprint);
    if (isPartOfMade && !keptBlueprints.has(item.blueprint)) return { item, change: 'removed' as const };
    const reason = reasonToKeep(id, item, untouched, isPartOfMade, filled);
    return reason === undefined ? { item, change: 'removed' as const } : { item, change: 'kept' as const, reason };
  });
}

export interface PlanInput {
  readonly definitions: Definitions;
  readonly made: readonly MadeItem[];
  readonly listener: Pick<EntityListener, 'hasRelationValues'>;
}

export function presentRemoval({ item, change, reason, entities }: PlannedRemoval): PackChange {
  return {
    ...presentItem(item),
    change,
    ...(reason === undefined ? {} : { reason }),
    ...(entities === undefined ? {} : { entities }),
  };
}

function reasonToKeep(
  id: string,
  item: Item,
  untouched: ReadonlySet<string>,
  isPartOfMade: boolean,
  filled: ReadonlySet<string>,
): string | undefined {
  if (!untouched.has(id)) return 'It was changed since';
  if (isPartOfMade) return `It stays with the blueprint "${item.blueprint}"`;
  return filled.has(id) ? 'Entities have values of it' : undefined;
}

type Kept = { readonly reason: string; readonly entities?: number };

async function findKeptBlueprints(
  reader: Reader,
  orgId: string,
  { definitions, own, untouched, isMade }: Facts,
  { deleteEntities }: RemovalChoices,
): Promise<Map<string, Kept>> {
  const kept = new Map<string, Kept>();
  for (const [id, { kind, identifier }] of own) {
    if (kind !== 'blueprint' || !isMade(identifier)) continue;
    const stored = definitions.blueprints.get(identifier);
    const reason = untouched.has(id)
      ? (foreignPart(identifier, definitions, untouched) ?? foreignNeighbour(identifier, definitions, untouched))
      : 'It was changed since';
    if (reason !== undefined) {
      kept.set(identifier, { reason });
      continue;
    }
    const entities = stored ? await countEntities(reader, orgId, stored.key, entitiesMax + 1) : 0;
    if (entities > entitiesMax) kept.set(identifier, { reason: `It has more than ${entitiesMax} entities` });
    else if (entities > 0 && deleteEntities[identifier] !== entities) {
      kept.set(identifier, { reason: entities === 1 ? 'It has 1 entity' : `It has ${entities} entities`, entities });
    }
  }
  return kept;
}

function foreignPart(blueprint: string, { items }: Definitions, untouched: ReadonlySet<string>): string | undefined {
  for (const [id, item] of items) {
    if (item.blueprint !== blueprint || !isPart(item) || untouched.has(id)) continue;
    return `The ${item.kind} "${item.identifier}" was added or changed`;
  }
  return undefined;
}

function foreignNeighbour(
  blueprint: string,
  { items, beside }: Definitions,
  untouched: ReadonlySet<string>,
): string | undefined {
  const found = beside.find((each) => each.blueprint === blueprint && !each.isAutomatic && !untouched.has(each.id));
  const item = found && items.get(found.id);
  return item && `The ${item.kind} "${item.identifier}" is about it`;
}

/** Parts of blueprints that stay, with values that would be lost. */
async function findFilledParts(
  reader: Reader,
  orgId: string,
  { definitions, own, untouched, isMade }: Facts,
  listener: PlanInput['listener'],
): Promise<Set<string>> {
  const filled = new Set<string>();
  for (const [id, item] of own) {
    const blueprint = definitions.blueprints.get(item.blueprint);
    if (!untouched.has(id) || !blueprint || isMade(item.blueprint)) continue;
    const isFilled =
      item.kind === 'property'
        ? await hasPropertyValues(reader, orgId, blueprint.key, item.identifier)
        : item.kind === 'relation' && (await listener.hasRelationValues(reader, blueprint, item.identifier));
    if (isFilled) filled.add(id);
  }
  return filled;
}

/** What a relation or an aggregation that stays points at stays too, and so on. */
function keepTargets(
  { definitions, own, untouched, isMade }: Facts,
  kept: Map<string, Kept>,
  filled: ReadonlySet<string>,
): void {
  const pointing = [...definitions.items].filter(([, { kind }]) => kind === 'relation' || kind === 'aggregation');
  for (let before = -1; before !== kept.size; ) {
    before = kept.size;
    for (const [id, item] of pointing) {
      const { target, type } = item.definition as { readonly target: string; readonly type?: string };
      // the platform removes relations of results itself
      if (type === 'rule_result_target' || !isMade(target) || kept.has(target)) continue;
      const goes = isMade(item.blueprint)
        ? !kept.has(item.blueprint)
        : own.has(id) && untouched.has(id) && !filled.has(id);
      if (goes || item.blueprint === target) continue;
      kept.set(target, { reason: `The ${item.kind} "${item.identifier}" of "${item.blueprint}" points at it` });
    }
  }
}
