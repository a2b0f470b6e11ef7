import type { UnknownPart } from '@portolan/contract/as-of';
import type { Actor } from '../../../platform/actor.ts';
import { isSameJson } from '../../../platform/same-json.ts';
import { teamNames } from '../../accounts/index.ts';
import { ownershipPath, type StoredBlueprint } from '../../blueprints/index.ts';
import type { ReadEntity, StoredEntity } from '../../entity-rows/index.ts';
import {
  findNewNames,
  listBlueprintsWithDeletions,
  type NamedSpan,
  type RecordedEntity,
  selectStatesAround,
} from '../../journal/index.ts';
import type { ReadDeps } from '../read-entities.ts';
import type { Life, PastBlueprint, PastEntity } from './past.types.ts';
import { listKeyChanges } from './past-blueprint.ts';
import { followTargets, renamesMax } from './past-targets.ts';
import { pastProperties, pastRelations, type Side, type Sides } from './past-values.ts';

/** The life of an entity that exists. */
export function toLife(entity: StoredEntity): Life {
  const { createdAt, updatedAt, ...rest } = entity;
  const last = { ...rest, createdAt: createdAt.toISOString(), updatedAt: updatedAt.toISOString() };
  return { key: entity.key, name: entity.identifier, since: createdAt, last, deleted: undefined };
}

/**
 * Entities as they were at a moment, in the order of the lives; those that did not exist then are left out. A fixed number
 * of statements, and of look-ups in indexes for each entity.
 * @throws AppError `history_not_kept` if the blueprint was renamed since
 */
export async function readPast(
  { database }: ReadDeps,
  actor: Actor,
  now: StoredBlueprint,
  { blueprint }: PastBlueprint,
  lives: readonly Life[],
  at: Date,
): Promise<PastEntity[]> {
  const { orgId } = actor;
  const existing = lives.filter(({ since, deleted }) => since <= at && !(deleted && deleted.at <= at));
  if (existing.length === 0) return [];
  const { spans, lasts } = await traceNames(database, now, existing, at);
  const states = await statesAround(database, orgId, spans, at);
  const sides = states.map((each, index): Sides => {
    const { earlierAt, earlierKey, earlier, laterAt, laterKey, later } = each;
    return {
      earlier:
        earlierAt && earlierKey !== null && earlier ? { at: earlierAt, key: earlierKey, state: earlier } : undefined,
      later:
        laterAt && laterKey !== null && later ? { at: laterAt, key: laterKey, state: later } : (lasts[index] as Side),
    };
  });
  const since = sides.reduce((first, { earlier }) => (earlier && earlier.at < first ? earlier.at : first), at);
  const changes = await listKeyChanges(database, now, at, since);
  const properties = sides.map((each) => pastProperties(each, at, changes));
  const followed = sides.map((each) => ({ sides: each, found: pastRelations(each, at, changes) }));
  const relations = await followTargets(database, blueprint, followed, at);
  const references = sides.flatMap(({ later }) => later.state.ownTeamRefs);
  const names = await teamNames(database, orgId, actor.model, [...new Set(references)]);
  const isAlone = sides.some(({ earlier }) => !earlier);
  const [lost] = await listBlueprintsWithDeletions(database, orgId, isAlone ? ['_team'] : [], at);
  const losesTeams = lost !== undefined || actor.model !== 'blueprints';
  return existing.map((life, index) => {
    const { earlier, later } = sides[index] as Sides;
    const { state } = later;
    const { values, unknown: ofProperties } = properties[index] as (typeof properties)[number];
    const { relations: targets, unknown: ofRelations } = relations[index] as (typeof relations)[number];
    const entity: ReadEntity = {
      ...toEntity(state),
      key: life.key,
      blueprintKey: blueprint.key,
      properties: values,
      relations: targets,
      team: state.ownTeamRefs.flatMap((reference) => names.get(reference) ?? []),
    };
    return {
      life,
      entity,
      changedAt: earlier?.at,
      nextChangeAt: Number.isFinite(later.key) ? later.at : undefined,
      unknown: [
        ...ofProperties,
        ...ofRelations,
        ...teamUnknown(blueprint, { earlier, later }, names, losesTeams),
        ...unrecordedParts(blueprint, { earlier, later }, at),
      ],
    };
  });
}

function toEntity(state: RecordedEntity): Omit<ReadEntity, 'key' | 'blueprintKey' | 'team'> {
  const { identifier, title, icon, properties, relations, ownTeamRefs, createdBy, updatedBy } = state;
  return {
    identifier,
    title,
    icon,
    properties,
    relations,
    derived: {},
    scorecards: {},
    ownTeamRefs,
    teamRefs: ownTeamRefs,
    version: 0,
    createdAt: new Date(state.createdAt),
    createdBy,
    updatedAt: new Date(state.updatedAt),
    updatedBy,
  };
}

function teamUnknown(
  { definition }: StoredBlueprint,
  { earlier, later }: Sides,
  names: ReadonlyMap<string, string>,
  losesTeams: boolean,
): UnknownPart[] {
  if (ownershipPath(definition) !== undefined) return [];
  const { ownTeamRefs } = later.state;
  const path = 'team';
  if (earlier && !isSameJson(earlier.state.ownTeamRefs, ownTeamRefs)) {
    return [{ path, reason: 'Teams of it were created or deleted in between, which is not recorded with the entity' }];
  }
  if (!earlier && losesTeams) {
    return [{ path, reason: 'Teams were deleted since, and the journal has no earlier record' }];
  }
  if (ownTeamRefs.every((reference) => names.has(reference))) return [];
  return [{ path, reason: 'A team of it was deleted since' }];
}

const written = ['title', 'icon', 'team', 'properties', 'relations', 'updatedAt', 'updatedBy'];

/**
 * What was written after the moment though no record tells so: the journal came to be later than the entity, as in an
 * organization that was imported.
 */
function unrecordedParts({ identifier }: StoredBlueprint, { earlier, later }: Sides, at: Date): UnknownPart[] {
  const writtenAt = new Date(later.state.updatedAt);
  if (writtenAt > at) {
    const reason = `It was written at ${writtenAt.toISOString()}, and the journal does not have what it was before`;
    return written.map((path) => ({ path, reason }));
  }
  if (identifier !== '_user' || earlier) return [];
  const reason = 'It follows the blueprints without a record, and the journal has no earlier one';
  return [{ path: 'properties.moderated_blueprints', reason }];
}

/** The names that the entities had at the moment, and what they were when they lost them, or are now. */
async function traceNames(
  reader: ReadDeps['database'],
  { orgId, identifier: blueprint }: StoredBlueprint,
  lives: readonly Life[],
  at: Date,
): Promise<{ readonly spans: readonly NamedSpan[]; readonly lasts: readonly Side[] }> {
  const spans = lives.map(({ name, since, deleted }): NamedSpan => ({ blueprint, name, since, until: deleted }));
  const lasts = lives.map(({ last, deleted }): Side => {
    return { at: deleted?.at ?? at, key: deleted?.key ?? Number.POSITIVE_INFINITY, state: last };
  });
  let open = [...spans.keys()];
  for (let round = 0; open.length > 0 && round < renamesMax; round += 1) {
    const asked = open;
    const named = asked.map((index) => spans[index] as NamedSpan);
    const found = await findNewNames(reader, orgId, named, at);
    open = found.map(({ place, at: until, key, renamedFrom, before }) => {
      const index = asked[place] as number;
      spans[index] = { ...(spans[index] as NamedSpan), name: renamedFrom, until: { at: until, key } };
      lasts[index] = { at: until, key, state: before };
      return index;
    });
  }
  return { spans, lasts };
}

/** Statements that read at the same time: one alone would wait for each block of the journal in turn. */
const readingMax = 3;

async function statesAround(database: ReadDeps['database'], orgId: string, spans: readonly NamedSpan[], at: Date) {
  const size = Math.max(50, Math.ceil(spans.length / readingMax));
  const starts = spans.flatMap((_, index) => (index % size === 0 ? [index] : []));
  const parts = await database.together(
    starts.map((start) => () => selectStatesAround(database, orgId, spans.slice(start, start + size), at)),
  );
  return parts.flat();
}
