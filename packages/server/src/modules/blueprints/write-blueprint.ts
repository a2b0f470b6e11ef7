import { isDeepStrictEqual } from 'node:util';
import type { BlueprintBody, BlueprintPatch } from '@portolan/contract/blueprints';
import type { Issue } from '@portolan/contract/errors';
import type { Actor } from '../../platform/actor.ts';
import { DatabaseError } from '../../platform/db/database-error.ts';
import { AppError, invalidRequest, notFound } from '../../platform/errors.ts';
import { platformAuthor, writtenBy } from '../../platform/text-authors.ts';
import type { UnitOfWork, Work } from '../../platform/unit-of-work.ts';
import { permitDecidingChange } from '../accounts/index.ts';
import {
  deleteBlueprintRow,
  insertBlueprint,
  listBlueprintRows,
  lockBlueprint,
  lockBlueprintToDelete,
  lockOwnershipPaths,
  updateBlueprintRow,
} from './blueprint.store.ts';
import { ownershipPath, type PropertyMap, type StoredBlueprint } from './blueprint.ts';
import type { BlueprintListener, PageListener } from './blueprint-listener.ts';
import { checkBlueprint, checkSizes } from './check-blueprint.ts';
import { checkChange, checkReferences, checkSystemStructure } from './check-change.ts';
import { warnOfCalculations } from './check-computed.ts';
import { checkOwnership, checkPathFilters } from './check-paths.ts';
import { followRename, retargeted } from './follow-rename.ts';
import { mergeBlueprint } from './merge-blueprint.ts';
import { echoInheritance, ownershipWarnings, withoutOldInheritance } from './old-inheritance.ts';
import { permitDestination } from './permit-destination.ts';
import { recordBlueprint } from './record-blueprint.ts';
import { withResultTargets } from './result-targets.ts';
import { resultTargetType } from './scorecard-blueprints.ts';
import { agentSchemaIn, isReserved, oldAgentNames, systemBlueprint } from './system-blueprints.ts';

export interface WriteBlueprintDeps {
  readonly unitOfWork: UnitOfWork;
  readonly listener: BlueprintListener;
  /** Whether each property can be compiled to a validator. */
  readonly checkDefinitions: (properties: PropertyMap) => Issue[];
}

/** The written blueprint, with warnings for its author. */
export interface WrittenBlueprint {
  readonly blueprint: StoredBlueprint;
  readonly warnings: readonly string[];
  /** Ineffective fields to answer all the same. */
  readonly echo: ReturnType<typeof echoInheritance>;
}

/**
 * Creates a blueprint, with its catalog page unless declined.
 * @throws AppError `invalid_request`, `not_found` (a relation's target), `identifier_taken`
 */
export function createBlueprint(
  deps: CreateBlueprintDeps & Pick<WriteBlueprintDeps, 'unitOfWork'>,
  actor: Actor,
  written: BlueprintBody,
  options: CreateOptions,
): Promise<WrittenBlueprint> {
  return deps.unitOfWork(actor, (work) => createBlueprintWithin(deps, work, written, options));
}

export interface CreateBlueprintDeps extends Pick<WriteBlueprintDeps, 'checkDefinitions'> {
  readonly pageListener: PageListener;
}

interface CreateOptions {
  readonly withCatalogPage: boolean;
}

/** The same within the caller's unit of work. @throws AppError as `createBlueprint` */
export async function createBlueprintWithin(
  { checkDefinitions, pageListener }: CreateBlueprintDeps,
  work: Work,
  written: BlueprintBody,
  { withCatalogPage }: CreateOptions,
): Promise<WrittenBlueprint> {
  const { actor } = work;
  const body = withoutOldInheritance(actor, undefined, written);
  if (isReserved(body.identifier)) {
    const issue = { path: '/identifier', message: 'is the name of a system blueprint' };
    if (await lockBlueprint(work.tx, actor.orgId, body.identifier)) throw taken(body.identifier);
    throw invalidRequest([issue], 'The blueprint');
  }
  assertSound(body, checkDefinitions);
  await assertConnected(work, body, undefined);
  const blueprint = await insertChecked(work, body, false);
  if (withCatalogPage) await pageListener.addCatalogPage(work, blueprint);
  const warnings = collectWarnings(actor, undefined, written, blueprint);
  return { blueprint, warnings, echo: echoInheritance(actor, written) };
}

function collectWarnings(...[actor, before, written, blueprint]: Parameters<typeof ownershipWarnings>): string[] {
  return [...ownershipWarnings(actor, before, written, blueprint), ...warnOfCalculations(blueprint.definition)];
}

/** Creates a checked blueprint within the caller's unit of work; also used for system blueprints. */
export async function insertChecked(work: Work, body: BlueprintBody, isSystem: boolean): Promise<StoredBlueprint> {
  const { tx, actor, now } = work;
  // system blueprints point at each other and are created in one transaction
  if (!isSystem) await checkReferences(tx, actor.orgId, body);
  const { identifier, ...definition } = body;
  permitDestination(actor, undefined, definition);
  const created = await refuseTakenIdentifier(identifier, () =>
    insertBlueprint(tx, {
      orgId: actor.orgId,
      identifier,
      definition,
      isSystem,
      rights: null,
      by: actor.id,
      authors: isSystem ? [platformAuthor] : writtenBy(actor),
      at: now,
    }),
  );
  recordBlueprint(work, 'CREATE', undefined, created);
  return created;
}

/** Replaces the definition; another identifier renames. @throws AppError as `createBlueprint`, and `managed_field` */
export function replaceBlueprint(
  deps: WriteBlueprintDeps,
  actor: Actor,
  identifier: string,
  body: BlueprintBody,
): Promise<WrittenBlueprint> {
  return change(deps, actor, identifier, body, (current) => {
    // public clients do not know the setting, so its absence says nothing
    const { unknownProperties } = current.definition;
    return { ...(unknownProperties && { unknownProperties }), ...withoutOldInheritance(actor, current, body) };
  });
}

/** Merges a patch into the definition. @throws AppError as `replaceBlueprint` */
export function patchBlueprint(
  deps: WriteBlueprintDeps,
  actor: Actor,
  identifier: string,
  patch: BlueprintPatch,
): Promise<WrittenBlueprint> {
  return change(deps, actor, identifier, patch, (current) =>
    mergeBlueprint(
      { identifier: current.identifier, ...current.definition },
      withoutOldInheritance(actor, current, patch),
    ),
  );
}

function change(
  deps: WriteBlueprintDeps,
  actor: Actor,
  identifier: string,
  written: BlueprintBody | BlueprintPatch,
  edit: (current: StoredBlueprint) => BlueprintBody,
): Promise<WrittenBlueprint> {
  return deps.unitOfWork(actor, async (work) => {
    let before: StoredBlueprint | undefined;
    const blueprint = await changeWithin(deps, work, identifier, (current) => {
      before = current;
      return edit(current);
    });
    return {
      blueprint,
      warnings: collectWarnings(actor, before, written, blueprint),
      echo: echoInheritance(actor, written),
    };
  });
}

/** The same within the caller's unit of work. @throws AppError as `replaceBlueprint` */
export function patchWithin(
  deps: ChangeDeps,
  work: Work,
  identifier: string,
  patch: BlueprintPatch,
): Promise<StoredBlueprint> {
  return changeWithin(deps, work, identifier, (current) =>
    mergeBlueprint({ identifier: current.identifier, ...current.definition }, patch),
  );
}

export type ChangeDeps = Pick<WriteBlueprintDeps, 'listener' | 'checkDefinitions'>;

/** Changes a blueprint already read, within the caller's unit of work. @throws AppError as `replaceBlueprint` */
export async function changeWithin(
  { listener, checkDefinitions }: ChangeDeps,
  work: Work,
  identifier: string,
  edit: (current: StoredBlueprint) => BlueprintBody,
): Promise<StoredBlueprint> {
  const { tx, actor, now } = work;
  const before = await lockBlueprint(tx, actor.orgId, identifier);
  if (!before) throw notFound('Blueprint', identifier);
  const body = withResultTargets(before, edit(before));
  const schema = agentSchemaIn(before);
  const structure = systemBlueprint(before.identifier, actor.model, schema);
  if (before.isSystem && structure) checkSystemStructure(structure, body);
  if (before.isSystem && schema === 'new') assertNoOldNames(before, body);
  assertSound(body, checkDefinitions);
  await checkReferences(tx, actor.orgId, body);
  await assertConnected(work, body, before);
  await checkChange(tx, listener, before, body);
  const { identifier: newIdentifier, ...written } = body;
  const definition = retargeted(written, before.identifier, newIdentifier);
  permitDestination(actor, before.definition, definition);
  const changed = await permitDecidingChange(
    work,
    { ...before, identifier: newIdentifier, definition },
    decidingChange(before, definition),
  );
  const after = await refuseTakenIdentifier(newIdentifier, () => updateBlueprintRow(tx, changed, actor, now));
  if (newIdentifier !== before.identifier) await followRename(work, before.identifier, after);
  await listener.adapt(work, before, after);
  recordBlueprint(work, 'UPDATE', before, after);
  return after;
}

/** Changes that rights may depend on: owners of its entities, and computed values. */
function decidingChange({ identifier, definition: before }: StoredBlueprint, after: StoredBlueprint['definition']) {
  const computed = ({
    calculationProperties = {},
    mirrorProperties = {},
    aggregationProperties = {},
  }: typeof before) => [calculationProperties, mirrorProperties, aggregationProperties];
  const isOwnership = ownershipPath(before) !== ownershipPath(after);
  return { identifier, isOwnership, isComputed: !isDeepStrictEqual(computed(before), computed(after)) };
}

/** Old fields determine the schema of a blueprint, so they cannot be added by hand. */
function assertNoOldNames({ identifier }: StoredBlueprint, body: BlueprintBody): void {
  const found = (oldAgentNames[identifier] ?? []).filter((key) => Object.hasOwn(body.schema.properties, key));
  if (found.length === 0) return;
  throw new AppError('managed_field', `"${found[0]}" was removed from "${identifier}" with the cutover`, {
    details: found.map((key) => ({ path: `/schema/properties/${key}`, message: 'cannot be added' })),
  });
}

/** @throws AppError `not_found`, `managed_field` (system), `has_dependents` (entities, or relations of others) */
export function deleteBlueprint(
  { unitOfWork, listener }: Pick<WriteBlueprintDeps, 'unitOfWork' | 'listener'>,
  actor: Actor,
  identifier: string,
  options: DeleteOptions,
): Promise<void> {
  return unitOfWork(actor, (work) => deleteBlueprintWithin({ listener }, work, identifier, options));
}

/** What is deleted with a blueprint. */
export interface DeleteOptions {
  readonly withActions: boolean;
}

/** The same within the caller's unit of work. @throws AppError as `deleteBlueprint` */
export async function deleteBlueprintWithin(
  { listener }: Pick<WriteBlueprintDeps, 'listener'>,
  work: Work,
  identifier: string,
  { withActions }: DeleteOptions,
): Promise<void> {
  const blueprint = await lockBlueprintToDelete(work.tx, work.actor.orgId, identifier);
  if (!blueprint) throw notFound('Blueprint', identifier);
  await assertUnused(work, blueprint);
  if (await listener.hasEntities(work.tx, blueprint)) {
    throw new AppError('has_dependents', `The blueprint "${identifier}" still has entities`);
  }
  await listener.forget(work, blueprint);
  await listener.leave(work, blueprint, withActions);
  await deleteBlueprintRow(work.tx, work.actor.orgId, blueprint.key);
  recordBlueprint(work, 'DELETE', blueprint, undefined);
}

/** @throws AppError `managed_field` for system blueprints, `has_dependents` naming the blueprints that point here */
export async function assertUnused(work: Work, { identifier, isSystem }: StoredBlueprint): Promise<void> {
  if (isSystem) throw new AppError('managed_field', `"${identifier}" is a system blueprint and cannot be deleted`);
  const users = await relatedBlueprints(work, identifier);
  if (users.length === 0) return;
  const message = `The blueprint "${identifier}" is the target of relations of: ${users.join(', ')}`;
  throw new AppError('has_dependents', message, { details: { blueprints: users } });
}

async function relatedBlueprints({ tx, actor }: Work, identifier: string): Promise<string[]> {
  const all = await listBlueprintRows(tx, actor.orgId);
  return all
    .filter((other) => other.identifier !== identifier)
    .filter(({ definition }) =>
      [
        // the platform manages relations of results
        ...Object.values(definition.relations ?? {}).filter(({ type }) => type !== resultTargetType),
        ...Object.values(definition.aggregationProperties ?? {}),
      ].some(({ target }) => target === identifier),
    )
    .map((other) => other.identifier);
}

/** Checks against other blueprints: paths of ownership and of aggregations. */
async function assertConnected(work: Work, body: BlueprintBody, before: StoredBlueprint | undefined): Promise<void> {
  const { tx, actor } = work;
  // two concurrent paths could close a cycle that neither sees
  if (ownershipPath(body) !== undefined) await lockOwnershipPaths(tx, actor.orgId);
  const all = await listBlueprintRows(tx, actor.orgId);
  const others = all.filter(({ key }) => key !== before?.key);
  const issues = checkOwnership(others, body, before);
  if (issues.length > 0) throw invalidRequest(issues, 'The blueprint');
  checkPathFilters(others, body, before?.identifier);
}

function assertSound(body: BlueprintBody, checkDefinitions: WriteBlueprintDeps['checkDefinitions']): void {
  const tooMany = checkSizes(body);
  if (tooMany.length > 0) throw invalidRequest(tooMany, 'The blueprint');
  const issues = [...checkBlueprint(body), ...checkDefinitions(body.schema.properties)];
  if (issues.length > 0) throw invalidRequest(issues, 'The blueprint');
}

async function refuseTakenIdentifier<T>(identifier: string, write: () => Promise<T>): Promise<T> {
  try {
    return await write();
  } catch (error) {
    if (error instanceof DatabaseError && error.constraint === 'blueprints_identifier') throw taken(identifier, error);
    throw error;
  }
}

function taken(identifier: string, cause?: unknown): AppError {
  return new AppError(
    'identifier_taken',
    `A blueprint with identifier "${identifier}" exists; the identifier is taken`,
    { cause },
  );
}
