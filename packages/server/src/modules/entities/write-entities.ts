import type { EntityBody } from '@portolan/contract/entities';
import type { Issue } from '@portolan/contract/errors';
import { entityIdentifier, userAddress } from '@portolan/contract/wire';
import { z } from 'zod';
import { createJsonTexts, type JsonTexts } from '../../platform/db/json.ts';
import { AppError, invalidRequest } from '../../platform/errors.ts';
import { newId } from '../../platform/ids.ts';
import { carrying } from '../../platform/text-authors.ts';
import type { Work } from '../../platform/unit-of-work.ts';
import {
  type Draft,
  type EntityWrite,
  loadEntityWriteGate,
  type PendingWrite,
  type WriteOptions,
  type WriteOutcome,
} from '../access/index.ts';
import { assertStays, blueprintRelations, type StoredBlueprint } from '../blueprints/index.ts';
import {
  assertVersion,
  type EntityRow,
  type ExpectedVersion,
  identifierTaken,
  lockEntities,
  type Properties,
  relationMissing,
  type StoredEntity,
} from '../entity-rows/index.ts';
import { completePerson, userAndTeamRules } from '../people-sync/index.ts';
import { checkScorecardWrites } from '../scorecard-changes/index.ts';
import { buildEntity, isUnchanged } from './build-entity.ts';
import { agentIssues, normalAgent } from './check-agent.ts';
import type { CatalogDeps } from './entities.deps.ts';
import { fitBody } from './fit-body.ts';
import { assertWritable } from './managed-entities.ts';
import { resolveTargets } from './resolve-targets.ts';
import { findOwners } from './resolve-teams.ts';
import { storeEntities, toEntityRow } from './store-entities.ts';
import { noteUnknownProperties } from './unknown-properties/note-unknown-properties.ts';

/** An item for a body, with an identifier made where none is given (api contract §3.2.1). */
export function toEntityWrite(body: EntityBody, expectedVersion?: ExpectedVersion): EntityWrite {
  const identifier = body.identifier ?? newId('e_');
  return { target: identifier, body: { ...body, identifier }, expectedVersion };
}

/**
 * Writes entities of one blueprint within the caller's unit of work: the one way an entity comes to be or changes.
 * Items stand for themselves: one that fails is reported and the others are written. Of items with one identifier
 * the last wins and speaks for all. The number of statements does not grow with the number of items.
 * @throws AppError `migration_in_progress` where the blueprint is being deleted
 */
export async function writeEntities(
  deps: CatalogDeps,
  asked: Work,
  blueprint: StoredBlueprint,
  items: readonly EntityWrite[],
  options: WriteOptions,
): Promise<WriteOutcome[]> {
  const carried = await deps.findCarriedAuthors(asked);
  const work = carried.length === 0 ? asked : { ...asked, actor: carrying(asked.actor, carried) };
  const { writes, failed, dropped, winners, texts } = await checkWrites(deps, work, blueprint, items, options);
  const outcomes = new Map<number, WriteOutcome>();
  for (const [index, error] of failed) outcomes.set(index, { error });
  const stored = await storeEntities(work, blueprint, writes.items, texts);
  await writes.follow(stored);
  for (const [index, outcome] of stored) outcomes.set(index, outcome);
  await noteUnknownProperties(
    deps,
    work,
    blueprint,
    [...stored.keys()].map((index) => dropped.get(index)),
  );
  return items.map(({ target }) => outcomes.get(winners.get(target) as number) as WriteOutcome);
}

/** What `writeEntities` would do with an item. */
export type PlanOutcome =
  | {
      readonly change: 'created' | 'changed' | 'unchanged';
      readonly before: StoredEntity | undefined;
      readonly after: EntityRow;
      readonly warnings: readonly string[];
    }
  | { readonly error: AppError };

/**
 * Like `writeEntities`, with every check and the same refusals, but writes nothing. Targets for which `isPlanned` holds
 * count as being there, and with `createMissingRelated` those that may be created.
 */
export async function planEntities(
  deps: CatalogDeps,
  work: Work,
  blueprint: StoredBlueprint,
  items: readonly EntityWrite[],
  options: WriteOptions & { readonly isPlanned: (blueprint: string, identifier: string) => boolean },
): Promise<PlanOutcome[]> {
  const { writes, failed, winners } = await checkWrites(deps, work, blueprint, items, options);
  const outcomes = new Map<number, PlanOutcome>();
  for (const [index, error] of failed) outcomes.set(index, { error });
  for (const item of writes.items) {
    const { index, before, warnings } = item;
    const after = toEntityRow(item);
    const change = !before ? 'created' : isUnchanged(before, after) ? 'unchanged' : 'changed';
    outcomes.set(index, { change, before, after, warnings });
  }
  return items.map(({ target }) => outcomes.get(winners.get(target) as number) as PlanOutcome);
}

/** Everything that comes before anything is stored. Indexes are those of `items`. */
async function checkWrites(
  deps: CatalogDeps,
  work: Work,
  blueprint: StoredBlueprint,
  items: readonly EntityWrite[],
  options: WriteOptions,
) {
  assertStays(blueprint);
  const failed = new Map<number, AppError>();
  const texts = createJsonTexts();
  const existing =
    options.expects === 'fresh' ? new Map<string, StoredEntity>() : await lockExisting(work, blueprint, items, texts);
  const gate = await loadEntityWriteGate(work, blueprint, [...existing.values()], options.expects);
  /** Of items with one target, the last. */
  const winners = new Map(items.map(({ target }, index) => [target, index]));
  const pending: PendingWrite[] = [];
  const dropped = new Map<number, Properties>();
  for (const index of winners.values()) {
    const item = items[index] as EntityWrite;
    const before = existing.get(item.target);
    try {
      gate.admit(item.target, before);
      const { unknown, ...drafted } = buildDraft(deps, work, blueprint, item, before, options);
      pending.push({ index, before, ...drafted });
      dropped.set(index, unknown);
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      failed.set(index, error);
    }
  }
  const owned = await findOwners(work, blueprint, pending, failed);
  const allowed = await userAndTeamRules(deps, work, blueprint, owned, failed);
  const refusals = await gate.permit(allowed);
  for (const [index, error] of refusals) failed.set(index, error);
  const permitted = allowed.filter(({ index }) => !refusals.has(index));
  const linked = await resolveTargets(work, blueprint, permitted, failed, options);
  const writes = await checkScorecardWrites(deps, work, blueprint, linked, failed);
  return { writes, failed, dropped, winners, texts };
}

async function lockExisting(work: Work, blueprint: StoredBlueprint, items: readonly EntityWrite[], texts: JsonTexts) {
  const wanted = new Set<string>();
  for (const { target, body } of items) wanted.add(target).add(body.identifier);
  const found = await lockEntities(work.tx, work.actor.orgId, blueprint.key, [...wanted], texts);
  return new Map(found.map((entity) => [entity.identifier, entity]));
}

function buildDraft(
  { checkProperties }: CatalogDeps,
  { actor, tx }: Work,
  blueprint: StoredBlueprint,
  { target, body: written, expectedVersion, teamRefs, warnings: told = [] }: EntityWrite,
  before: StoredEntity | undefined,
  { mode, expects }: WriteOptions,
): { readonly draft: Draft; readonly warnings: readonly string[]; readonly unknown: Properties } {
  if (before && expects === 'new') throw identifierTaken(blueprint, target);
  assertVersion(expectedVersion, before);
  assertWritable(actor, blueprint, written, before);
  // what is the platform's of a result stays, whatever a replacement leaves out
  const kept = blueprint.identifier === '_rule_result' ? 'merge' : mode;
  const fitted = fitBody(actor, blueprint, normalAgent(blueprint, written));
  const { body, warnings } = completePerson(actor, blueprint, fitted.body, before);
  const { draft, issues: found } = buildEntity(
    blueprint,
    (properties) => checkProperties(blueprint, properties, tx),
    body,
    before,
    kept,
  );
  const ofAgent = agentIssues(blueprint, written);
  const ofIdentifier = identifierIssues(blueprint, body.identifier, before);
  const issues = ofAgent.length + ofIdentifier.length === 0 ? found : [...ofAgent, ...ofIdentifier, ...found];
  if (issues.length > 0) throw refusal(blueprint, body, issues);
  return {
    draft: teamRefs ? { ...draft, teamRefs } : draft,
    warnings: [...told, ...fitted.warnings, ...warnings],
    unknown: fitted.unknown,
  };
}

/** When nothing is wrong but relations that the blueprint does not have, the answer is that they are not there. */
function refusal(blueprint: StoredBlueprint, body: EntityBody & { identifier: string }, issues: Issue[]): AppError {
  const unknown = Object.keys(body.relations ?? {}).filter((key) => !Object.hasOwn(blueprintRelations(blueprint), key));
  // each of them is one of the issues
  if (unknown.length === issues.length) return relationMissing(blueprint, unknown.join('", "'));
  return invalidRequest(issues, `The entity "${body.identifier}"`);
}

const noIssues: Issue[] = [];
const address = z.compile(userAddress);
const plainIdentifier = z.compile(entityIdentifier);

/** Users are addresses, everything else has the narrower form; what is there already is not judged again. */
function identifierIssues(blueprint: StoredBlueprint, identifier: string, before: StoredEntity | undefined): Issue[] {
  if (before?.identifier === identifier) return noIssues;
  const { success, error } = (blueprint.identifier === '_user' ? address : plainIdentifier).safeParse(identifier);
  return success ? noIssues : error.issues.map(({ message }) => ({ path: '/identifier', message }));
}
