import { DatabaseError } from '../../platform/db/database-error.ts';
import type { JsonTexts } from '../../platform/db/json.ts';
import { isSameJson } from '../../platform/same-json.ts';
import { writtenBy } from '../../platform/text-authors.ts';
import type { Work } from '../../platform/unit-of-work.ts';
import type { ResolvedWrite, WriteOutcome } from '../access/index.ts';
import type { StoredBlueprint } from '../blueprints/index.ts';
import {
  type ChangedEdge,
  type ChangedEntity,
  changedNames,
  recomputeDerived,
  teamsBetween,
  type UnstoredEntities,
} from '../derived/index.ts';
import {
  addEdges,
  dropOtherEdges,
  type Edge,
  type EntityRow,
  identifierTaken,
  insertEntities,
  insertKeyed,
  keyEntities,
  type StoredEntity,
  touchEntities,
  updateEntities,
} from '../entity-rows/index.ts';
import { syncPeople } from '../people-sync/index.ts';
import { isUnchanged } from './build-entity.ts';
import { changesText } from './changes-text.ts';
import { recordEntity } from './record-entity.ts';
import { renameEntity } from './rename-entity.ts';

/** Stores resolved writes with their edges, journal and derived values. */
export async function storeEntities(
  work: Work,
  blueprint: StoredBlueprint,
  linked: readonly ResolvedWrite[],
  texts: JsonTexts,
): Promise<Map<number, WriteOutcome>> {
  const outcomes = new Map<number, WriteOutcome>();
  const changed: ChangedWrite[] = [];
  const untouched: number[] = [];
  for (const item of linked) {
    const { before, index, warnings } = item;
    const row = toEntityRow(item);
    if (before && isUnchanged(before, row)) {
      untouched.push(before.key);
      outcomes.set(index, { entity: before, before, isCreated: false, warnings });
    } else changed.push({ ...item, row });
  }
  touchEntities(work.tx, toEntityStamp(work, blueprint), untouched);
  if (changed.length === 0) return outcomes;
  const pointedAt = namesPointedAt(changed);
  const { written, unstored } = await writeRows(work, blueprint, changed, texts, pointedAt.size > 0);
  const edges = await writeEdges(work, blueprint, changed, written);
  const dependents: ChangedEntity[] = [];
  for (const item of changed) {
    const entity = written.get(item.draft.identifier) as StoredEntity;
    if (item.before && item.before.identifier !== entity.identifier) {
      dependents.push(...(await renameEntity(work, item.before, entity)));
    }
  }
  await syncPeople(work, blueprint, changed);
  const renamed = new Set(dependents.map(({ key }) => key));
  const entities = toChangedEntities(blueprint, changed, written, pointedAt).map(({ entity, ...rest }) =>
    // its row was rewritten once more, because it pointed at a renamed entity
    entity && !renamed.has(rest.key) ? { ...rest, entity } : rest,
  );
  const settled = await recomputeDerived(work, {
    entities: [...entities, ...dependents],
    unstored,
    edges,
    teams: [{ blueprintKey: blueprint.key, references: movedTeams(changed, written) }],
    hasRenamedTeams: blueprint.identifier === '_team' && changed.some((item) => isShownAnew(item)),
  });
  for (const item of changed) {
    const stored = written.get(item.draft.identifier) as StoredEntity;
    const entity = settled.get(stored.key) ?? stored;
    outcomes.set(item.index, { entity, before: item.before, isCreated: !item.before, warnings: item.warnings });
    recordEntity(work, blueprint, item.before, entity, texts);
  }
  return outcomes;
}

function isShownAnew({ before, draft }: ResolvedWrite): boolean {
  return before !== undefined && (before.title !== draft.title || before.identifier !== draft.identifier);
}

function toEntityStamp({ actor, now }: Work, blueprint: StoredBlueprint) {
  return {
    orgId: actor.orgId,
    blueprintKey: blueprint.key,
    at: now,
    by: actor.id,
    datasource: actor.datasource,
    authors: writtenBy(actor),
  };
}

/** A write that changes its entity, with the new row. */
type ChangedWrite = ResolvedWrite & { readonly row: EntityRow };

/** The row of a checked write. */
export function toEntityRow({ draft, before, ownTeamRefs }: ResolvedWrite): EntityRow {
  const own = ownTeamRefs ?? before?.ownTeamRefs ?? [];
  return {
    identifier: draft.identifier,
    title: draft.title,
    icon: draft.icon,
    properties: draft.properties,
    relations: draft.relations,
    ownTeamRefs: own,
    // recomputed right after; until then the written teams are in effect
    teamRefs: before && ownTeamRefs === undefined ? before.teamRefs : own,
  };
}

async function writeRows(
  work: Work,
  blueprint: StoredBlueprint,
  changed: readonly ChangedWrite[],
  texts: JsonTexts,
  isPointedAt: boolean,
): Promise<{ readonly written: Map<string, StoredEntity>; readonly unstored: UnstoredEntities | undefined }> {
  const writing = toEntityStamp(work, blueprint);
  // calculations always see keys of objects in the database's order
  const options = { texts, isReadBack: Object.keys(blueprint.definition.calculationProperties ?? {}).length > 0 };
  const inserts = changed.flatMap(({ before, row }) => (before ? [] : [row]));
  const isLate = inserts.length > 0 && !isPointedAt && !options.isReadBack && isStoredLate(blueprint);
  const inserted = isLate
    ? await keyEntities(work.tx, writing, inserts)
    : await insertEntities(work.tx, writing, inserts, options);
  assertInserted(inserted.length, inserts.length);
  const unstored = isLate
    ? {
        keys: inserted.map(({ key }) => key),
        store: async (entities: readonly StoredEntity[]) =>
          assertInserted(await insertKeyed(work.tx, writing, entities, texts), inserts.length),
      }
    : undefined;
  const updates = changed.flatMap(({ before, row }) =>
    before ? [{ before, row, changesText: changesText(blueprint, before, row) }] : [],
  );
  try {
    const updated = await updateEntities(work.tx, writing, updates, options);
    return { written: new Map([...inserted, ...updated].map((entity) => [entity.identifier, entity])), unstored };
  } catch (error) {
    const renamed = updates.find(({ before, row }) => before.identifier !== row.identifier);
    if (!(error instanceof DatabaseError) || error.constraint !== 'entities_identifier' || !renamed) throw error;
    throw identifierTaken(blueprint, renamed.row.identifier, error);
  }
}

/** Whether new entities are stored once their values are computed. People and teams are read by what follows at once. */
function isStoredLate({ identifier, definition }: StoredBlueprint): boolean {
  if (identifier.startsWith('_')) return false;
  const { mirrorProperties = {}, aggregationProperties = {}, ownership } = definition;
  return (
    Object.keys(mirrorProperties).length > 0 ||
    Object.keys(aggregationProperties).length > 0 ||
    ownership?.type === 'Inherited'
  );
}

/** @throws DatabaseError, so that the work is repeated, if somebody created one since the look-up */
function assertInserted(inserted: number, wanted: number): void {
  if (inserted < wanted) throw new DatabaseError('an entity was created meanwhile', '40001');
}

/** Identifiers of new entities that others of the same write point at. */
function namesPointedAt(changed: readonly ResolvedWrite[]): Set<string> {
  return new Set(
    changed.flatMap(({ links }) => links.flatMap(({ target }) => ('key' in target ? [] : [target.pendingIdentifier]))),
  );
}

/** Writes the edges and returns those added or removed, and those whose position may have changed. */
async function writeEdges(
  { tx, actor }: Work,
  blueprint: StoredBlueprint,
  changed: readonly ResolvedWrite[],
  written: ReadonlyMap<string, StoredEntity>,
): Promise<ChangedEdge[]> {
  const relinked = changed.filter(({ before, draft }) => !isSameJson(before?.relations ?? {}, draft.relations));
  const edges = relinked.flatMap(({ draft, links }) => {
    const sourceKey = writtenKey(written, draft.identifier);
    return links.map(({ relation, position, target }): Edge => {
      const targetKey = 'key' in target ? target.key : writtenKey(written, target.pendingIdentifier);
      return { sourceKey, relation, targetKey, position };
    });
  });
  const linkedBefore = relinked.flatMap(({ before }) => (before ? [before.key] : []));
  const lost = await dropOtherEdges(tx, actor.orgId, linkedBefore, edges);
  addEdges(tx, actor.orgId, blueprint.key, edges);
  return [...lost, ...edges].map(({ relation, targetKey }) => ({
    sourceBlueprintKey: blueprint.key,
    relation,
    targetKey,
  }));
}

function writtenKey(written: ReadonlyMap<string, StoredEntity>, identifier: string): number {
  return (written.get(identifier) as StoredEntity).key;
}

/** The written entities with their changes, so that unaffected values are not looked for. */
function toChangedEntities(
  blueprint: StoredBlueprint,
  changed: readonly ResolvedWrite[],
  written: ReadonlyMap<string, StoredEntity>,
  pointedAt: ReadonlySet<string>,
): ChangedEntity[] {
  return changed.map(({ draft, before }) => {
    const entity = written.get(draft.identifier) as StoredEntity;
    return {
      blueprintKey: blueprint.key,
      key: entity.key,
      names: before ? changedNames(before, entity) : ('new' as const),
      isUnpointed: !before && !pointedAt.has(draft.identifier),
      entity,
    };
  });
}

/** Teams that gained or lost one of the entities. */
function movedTeams(changed: readonly ResolvedWrite[], written: ReadonlyMap<string, StoredEntity>): string[] {
  return changed.flatMap(({ before, draft }) =>
    teamsBetween(before?.teamRefs ?? [], written.get(draft.identifier)?.teamRefs ?? []),
  );
}
