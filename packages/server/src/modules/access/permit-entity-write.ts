import { isDeepStrictEqual } from 'node:util';
import type { Actor } from '../../platform/actor.ts';
import { AppError } from '../../platform/errors.ts';
import type { Work } from '../../platform/unit-of-work.ts';
import { blueprintProperties, blueprintRelations, type StoredBlueprint } from '../blueprints/index.ts';
import { transactionReader } from '../entity-query/index.ts';
import { entityMissing, type StoredEntity } from '../entity-rows/index.ts';
import {
  authorise,
  can,
  canOn,
  canUpdatePart,
  canUpdateSome,
  type EntityPart,
  forbidden,
  type GrantName,
  grantScope,
  type ProtectedBlueprint,
  type Subject,
} from '../rights/index.ts';
import type { Draft, DraftWithTeams, WriteOptions } from './entity-write.types.ts';
import { hiddenEntityKeys } from './hidden-targets.ts';
import { isVisible } from './read-condition.ts';
import { type DraftRow, satisfiedGrants, satisfiedGrantsOfDrafts } from './satisfied-grants.ts';

/**
 * The gate of entity writes: whether rights allow a write is decided here and nowhere else (decision 0093). What the
 * platform keeps for itself, and the rules of users and teams, are no rights and stand elsewhere.
 */

/**
 * Before anything is locked: the caller may write some entities of the blueprint, and the run they act for goes on.
 * @throws AppError `not_found`, `missing_permissions`, `run_ended`
 */
export async function openEntityWrite(
  work: Work,
  blueprint: StoredBlueprint,
  expects: WriteOptions['expects'],
  assertRun: (work: Work) => Promise<void>,
): Promise<void> {
  const { actor } = work;
  const mayCreate = expects !== 'existing' && can(actor, 'register', blueprint);
  const mayUpdate = expects !== 'new' && canUpdateSome(actor, blueprint);
  if (!mayCreate && !mayUpdate) authorise(actor, expects === 'new' ? 'register' : 'update', blueprint);
  await assertRun(work);
}

/** Decides about the items of one batch. */
export interface EntityWriteGate {
  /**
   * Before the body is looked at: the entity may be seen, or a new one registered. Who may not register is refused in
   * the same words whether an entity is hidden or not there.
   * @throws AppError `not_found`, `missing_permissions`
   */
  admit(target: string, before: StoredEntity | undefined): void;
  /** Once teams are known: why items may not be written, by index. One statement, and only for new entities. */
  permit(items: readonly DraftWithTeams[]): Promise<ReadonlyMap<number, AppError>>;
}

/** Looks up what the caller sees of the locked entities and which policies these satisfy before the write. */
export async function loadEntityWriteGate(
  work: Work,
  blueprint: StoredBlueprint,
  existing: readonly StoredEntity[],
  expects: WriteOptions['expects'],
): Promise<EntityWriteGate> {
  const { actor } = work;
  const metBy = await satisfiedGrants(transactionReader(work), actor, blueprint, existing);
  const concealed = await hiddenEntityKeys(transactionReader(work), actor, blueprint, existing);
  const isSeen = (entity: StoredEntity): boolean =>
    !concealed.has(entity.key) && isVisible(actor, blueprint, entity, metBy(entity.key));
  return {
    admit: (target, before) => {
      if (before && isSeen(before)) return;
      if (expects === 'existing') throw entityMissing(blueprint, target);
      authorise(actor, 'register', blueprint);
      if (before && expects !== 'new') throw entityMissing(blueprint, target);
    },
    permit: async (items) => {
      const drafts = items.map(({ before, draft, ownTeamRefs = [] }) => !before && { ...draft, teamRefs: ownTeamRefs });
      const metByDraft = await satisfiedGrantsOfDrafts(transactionReader(work), actor, blueprint, drafts);
      const refusals = new Map<number, AppError>();
      for (const [position, item] of items.entries()) {
        const met = item.before ? metBy(item.before.key) : metByDraft(position);
        const refusal = refusalToChange(actor, blueprint, item, met);
        if (refusal) refusals.set(item.index, refusal);
      }
      return refusals;
    },
  };
}

/**
 * Each changed part must be allowed, by the teams the entity had and the policies it satisfied before the write. A new
 * one must be allowed as a whole, by the teams it names and the policies it satisfies, and in every part it sets or
 * needs (users-and-teams §5.2); its identifier and title belong to registering it.
 */
function refusalToChange(
  actor: Actor,
  blueprint: StoredBlueprint,
  { before, draft, ownTeamRefs }: DraftWithTeams,
  met: ReadonlySet<GrantName>,
): AppError | undefined {
  const subject: Subject = { teamRefs: before ? before.teamRefs : (ownTeamRefs ?? []), met };
  if (!before && !canOn(actor, 'register', blueprint, subject)) return forbidden('register', blueprint);
  if (canOn(actor, 'update', blueprint, subject)) return undefined;
  const parts = before ? changedParts(before, draft, ownTeamRefs) : partsOfNew(blueprint, draft, ownTeamRefs);
  const refused = parts.filter(([part, key]) => !canUpdatePart(actor, blueprint, part, key, subject));
  if (refused.length === 0) return undefined;
  const names = refused.map(([, key]) => key).join(', ');
  return new AppError('missing_permissions', `You may not set of entities of "${blueprint.identifier}": ${names}`, {
    details: refused.map(([part, key]) => ({ path: toPointer(part, key), message: 'may not be set by you' })),
  });
}

/** Why an entity without teams and values may not be created, which satisfies no policy. */
export function refusalToRegister(actor: Actor, blueprint: ProtectedBlueprint): AppError | undefined {
  return canOn(actor, 'register', blueprint, { teamRefs: [] }) ? undefined : forbidden('register', blueprint);
}

/**
 * Whether the caller may have the platform register this entity: by the grant itself, or because the entity satisfies
 * its policy. Whose teams will own it is not known yet, so sharing any team is enough.
 */
export async function mayRegister(work: Work, blueprint: StoredBlueprint, draft: Omit<DraftRow, 'teamRefs'>) {
  const { isAll, isOwned, policies } = grantScope(work.actor, 'register', blueprint);
  if (isAll || isOwned || policies.length === 0) return isAll || isOwned;
  const metBy = await satisfiedGrantsOfDrafts(transactionReader(work), work.actor, blueprint, [
    { ...draft, teamRefs: [] },
  ]);
  return canOn(work.actor, 'register', blueprint, { teamRefs: [], met: metBy(0) });
}

/** Before anything is locked: the caller may delete some entities. @throws AppError `not_found`, `missing_permissions` */
export function openEntityDeletion(actor: Actor, blueprint: StoredBlueprint): void {
  authorise(actor, 'unregister', blueprint);
}

/** The entities that the caller may see by rights and policies. */
export async function visibleAmong(
  work: Work,
  blueprint: StoredBlueprint,
  entities: readonly StoredEntity[],
): Promise<StoredEntity[]> {
  const met = await satisfiedGrants(transactionReader(work), work.actor, blueprint, entities);
  return entities.filter((entity) => isVisible(work.actor, blueprint, entity, met(entity.key)));
}

/**
 * Why an entity goes: the request names it; an entity that goes requires it, and then it may be one that the caller
 * must not hear of; or the caller's own migration made it, and then it is no secret.
 */
export type DeletionCause = 'named' | 'required' | 'undone';

/** Why locked entities of a blueprint may not be deleted, by key. */
export async function permitEntityDeletion(
  work: Work,
  blueprint: StoredBlueprint,
  entities: readonly StoredEntity[],
  cause: DeletionCause,
): Promise<ReadonlyMap<number, AppError>> {
  const { actor } = work;
  const metBy = await satisfiedGrants(transactionReader(work), actor, blueprint, entities);
  const concealed: ReadonlySet<number> =
    cause === 'named' ? await hiddenEntityKeys(transactionReader(work), actor, blueprint, entities) : new Set();
  const refusals = new Map<number, AppError>();
  for (const entity of entities) {
    const met = metBy(entity.key);
    const isSeen = !concealed.has(entity.key) && isVisible(actor, blueprint, entity, met);
    if (cause === 'named' && !isSeen) refusals.set(entity.key, entityMissing(blueprint, entity.identifier));
    else if (cause === 'required' && !(isSeen && can(actor, 'read', blueprint))) refusals.set(entity.key, unnamed());
    else if (!canOn(actor, 'unregister', blueprint, { teamRefs: entity.teamRefs, met })) {
      refusals.set(entity.key, forbidden('unregister', blueprint));
    }
  }
  return refusals;
}

function unnamed(): AppError {
  return new AppError('missing_permissions', 'Entities that you may not see require it; you may not delete them');
}

export type Part = readonly [EntityPart, string];

function changedParts(before: StoredEntity, draft: Draft, ownTeamRefs: readonly string[] | undefined): Part[] {
  return [
    ...(before.identifier === draft.identifier ? [] : [meta('$identifier')]),
    ...(before.title === draft.title ? [] : [meta('$title')]),
    ...(before.icon === draft.icon ? [] : [meta('$icon')]),
    ...(ownTeamRefs === undefined || isDeepStrictEqual(before.ownTeamRefs, ownTeamRefs) ? [] : [meta('$team')]),
    ...differing(before.properties, draft.properties).map((key): Part => ['updateProperties', key]),
    ...differing(before.relations, draft.relations).map((key): Part => ['updateRelations', key]),
  ];
}

/** What a new entity sets or must have: each of it needs a right of its own, or the one to update. */
export function partsOfNew(
  blueprint: StoredBlueprint,
  draft: Draft,
  ownTeamRefs: readonly string[] | undefined,
): Part[] {
  const needed = (blueprint.definition.schema.required ?? []).filter((key) => key in blueprintProperties(blueprint));
  const related = Object.entries(blueprintRelations(blueprint)).flatMap(([key, { required }]) =>
    required ? [key] : [],
  );
  const properties = new Set([...needed, ...differing(readDefaults(blueprint), draft.properties)]);
  return [
    ...(draft.icon === null ? [] : [meta('$icon')]),
    ...(ownTeamRefs?.length ? [meta('$team')] : []),
    ...[...properties].map((key): Part => ['updateProperties', key]),
    ...[...new Set([...related, ...Object.keys(draft.relations)])].map((key): Part => ['updateRelations', key]),
  ];
}

/** Defaults fill themselves in: nobody set them. */
function readDefaults(blueprint: StoredBlueprint): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(blueprintProperties(blueprint)).flatMap(([key, property]) =>
      property.default === undefined || property.default === null ? [] : [[key, property.default]],
    ),
  );
}

function differing(before: Readonly<Record<string, unknown>>, after: Readonly<Record<string, unknown>>): string[] {
  const keys = new Set([...Object.keys(before), ...Object.keys(after)]);
  return [...keys].filter((key) => !isDeepStrictEqual(before[key], after[key]));
}

function meta(key: string): Part {
  return ['updateProperties', key];
}

function toPointer(part: EntityPart, key: string): string {
  if (key.startsWith('$')) return `/${key.slice(1)}`;
  return part === 'updateProperties' ? `/properties/${key}` : `/relations/${key}`;
}
