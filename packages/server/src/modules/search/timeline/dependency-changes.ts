import {
  type DependencyEvent,
  dependenciesMax,
  dependencyEventsMax,
  type TimelineEvent,
} from '@portolan/contract/entity-timeline';
import { scopesCover } from '@portolan/contract/scopes';
import type { Actor } from '../../../platform/actor.ts';
import { groupBy } from '../../../platform/collections.ts';
import { teamNames } from '../../accounts/index.ts';
import { blueprintRelations, type StoredBlueprint } from '../../blueprints/index.ts';
import type { ReadDeps } from '../../entities/index.ts';
import { listRecordsOfEntities } from '../../journal/index.ts';
import { can } from '../../rights/index.ts';
import { permittedRows } from '../permitted-rows.sql.ts';
import { type DependencyRow, selectDependencies } from './dependencies.store.ts';
import { describeRecords, teamsChangedIn } from './describe-record.ts';
import { relatedEvents } from './related-events.ts';

export interface DependencyChanges {
  readonly events: DependencyEvent[];
  readonly truncated: boolean;
  readonly entities: number;
}

type Dependency = DependencyRow & { readonly blueprint: StoredBlueprint };

/**
 * What happened to the entities that an entity points to and that the caller may read, newest first: a fixed number of
 * statements, however many they are.
 */
export async function readDependencyChanges(
  deps: ReadDeps,
  actor: Actor,
  of: { readonly blueprint: StoredBlueprint; readonly key: number },
  span: { readonly from: Date; readonly to: Date },
  all: readonly StoredBlueprint[],
): Promise<DependencyChanges> {
  const found = await listDependencies(deps, actor, of, all);
  const dependencies = found.slice(0, dependenciesMax);
  if (dependencies.length === 0) return { events: [], truncated: false, entities: 0 };
  const window = { ...span, limit: dependencyEventsMax + 1 };
  const targets = {
    blueprints: new Set(dependencies.map(({ blueprint }) => blueprint.identifier)),
    keys: dependencies.map(({ key }) => key),
  };
  const [records, related] = await Promise.all([
    scopesCover(actor.scopes, 'read:audit-log')
      ? listRecordsOfEntities(deps.database, actor.orgId, { entities: dependencies.map(named), ...window })
      : [],
    relatedEvents(deps, actor, targets, window, all),
  ]);
  const names = await teamNames(deps.database, actor.orgId, actor.model, teamsChangedIn(records), 'title');
  const byKey = new Map(dependencies.map((each) => [each.key, each]));
  const recorded = groupBy(records, ({ context }) => nameOf(context['blueprint'], context['entity']));
  const ofRecords = dependencies.flatMap((each) => {
    const own = recorded.get(nameOf(each.blueprint.identifier, each.identifier)) ?? [];
    return describeRecords(own, each.blueprint, names).map((event) => withDependency(event, each));
  });
  const ofRelated = related.flatMap(({ event, target }) => {
    const dependency = byKey.get(target);
    return dependency ? [withDependency(event, dependency)] : [];
  });
  const events = [...ofRecords, ...ofRelated].sort((one, other) => Date.parse(other.at) - Date.parse(one.at));
  const isCut = [records, related, events].some(({ length }) => length > dependencyEventsMax);
  return {
    events: events.slice(0, dependencyEventsMax),
    truncated: isCut || found.length > dependenciesMax,
    entities: dependencies.length,
  };
}

/** What the entity points to, without users, teams and other types of the platform. */
async function listDependencies(
  deps: ReadDeps,
  actor: Actor,
  { blueprint, key }: { readonly blueprint: StoredBlueprint; readonly key: number },
  all: readonly StoredBlueprint[],
): Promise<Dependency[]> {
  const targets = Object.entries(blueprintRelations(blueprint)).filter(([, { target }]) => !target.startsWith('_'));
  const names = new Set(targets.map(([, { target }]) => target));
  const readable = all.filter((each) => names.has(each.identifier) && can(actor, 'read', each));
  if (readable.length === 0) return [];
  const rows = await selectDependencies(deps.database, actor.orgId, {
    key,
    relations: targets.map(([relation]) => relation),
    permitted: await permittedRows(deps, actor, readable, all),
    limit: dependenciesMax + 1,
  });
  const blueprints = new Map(readable.map((each) => [each.key, each]));
  return rows.flatMap((row) => {
    const known = blueprints.get(row.blueprintKey);
    return known ? [{ ...row, blueprint: known }] : [];
  });
}

function named({ blueprint, identifier, createdAt }: Dependency) {
  return { blueprint: blueprint.identifier, entity: identifier, since: createdAt };
}

function nameOf(blueprint: string | undefined, entity: string | undefined): string {
  return JSON.stringify([blueprint, entity]);
}

function withDependency(event: TimelineEvent, { blueprint, identifier, title }: Dependency): DependencyEvent {
  return { ...event, dependency: { blueprint: blueprint.identifier, identifier, ...(title ? { title } : {}) } };
}
