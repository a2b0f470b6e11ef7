import { isDeepStrictEqual } from 'node:util';
import type { Actor } from '../../platform/actor.ts';
import { AppError } from '../../platform/errors.ts';
import { propertiesOf, relationsOf, type StoredBlueprint } from '../blueprints/index.ts';
import { entityMissing, type StoredEntity } from '../entity-rows/index.ts';
import {
  authorise,
  canOn,
  canUpdatePart,
  type EntityPart,
  forbidden,
  type GrantName,
  type Subject,
} from '../rights/index.ts';
import type { Draft, Pending, WriteOptions } from './entity-write.types.ts';
import { isVisible } from './read-condition.ts';

export type Part = readonly [EntityPart, string];

/**
 * What can be said before the body is checked: that the entity may be seen, and that something of it, or a new one, may
 * be written. Who may not register is refused in the same words whether an entity is hidden or not there.
 * @throws AppError `not_found`, `missing_permissions`
 */
export function permitOpening(
  actor: Actor,
  blueprint: StoredBlueprint,
  target: string,
  { before, met, isConcealed }: Pick<Pending, 'before' | 'met'> & { readonly isConcealed: boolean },
  expects: WriteOptions['expects'],
): void {
  if (before && !isConcealed && isVisible(actor, blueprint, before, met)) return;
  if (expects === 'existing') throw entityMissing(blueprint, target);
  authorise(actor, 'register', blueprint);
  if (before && expects !== 'new') throw entityMissing(blueprint, target);
}

/**
 * Whether each changed part of an entity may be changed, by the teams it had and the policies it satisfied before the write; a
 * new one must be allowed as a whole, by the teams it names and the policies it satisfies, and in every part it sets or needs (users-and-teams §5.2). Identifier and title of
 * a new entity belong to registering it.
 * @throws AppError `missing_permissions` naming the parts
 */
export function permitChange(
  actor: Actor,
  blueprint: StoredBlueprint,
  before: StoredEntity | undefined,
  draft: Draft,
  ownTeamRefs: readonly string[] | undefined,
  met: ReadonlySet<GrantName>,
): void {
  const subject: Subject = { teamRefs: before ? before.teamRefs : (ownTeamRefs ?? []), met };
  if (!before && !canOn(actor, 'register', blueprint, subject)) throw forbidden('register', blueprint);
  if (canOn(actor, 'update', blueprint, subject)) return;
  const parts = before ? changedParts(before, draft, ownTeamRefs) : partsOfNew(blueprint, draft, ownTeamRefs);
  const refused = parts.filter(([part, key]) => !canUpdatePart(actor, blueprint, part, key, subject));
  if (refused.length === 0) return;
  const names = refused.map(([, key]) => key).join(', ');
  throw new AppError('missing_permissions', `You may not set of entities of "${blueprint.identifier}": ${names}`, {
    details: refused.map(([part, key]) => ({ path: pathOf(part, key), message: 'may not be set by you' })),
  });
}

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
  const needed = (blueprint.definition.schema.required ?? []).filter((key) => key in propertiesOf(blueprint));
  const related = Object.entries(relationsOf(blueprint)).flatMap(([key, { required }]) => (required ? [key] : []));
  const properties = new Set([...needed, ...differing(defaultsOf(blueprint), draft.properties)]);
  return [
    ...(draft.icon === null ? [] : [meta('$icon')]),
    ...(ownTeamRefs?.length ? [meta('$team')] : []),
    ...[...properties].map((key): Part => ['updateProperties', key]),
    ...[...new Set([...related, ...Object.keys(draft.relations)])].map((key): Part => ['updateRelations', key]),
  ];
}

/** Defaults fill themselves in: nobody set them. */
function defaultsOf(blueprint: StoredBlueprint): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(propertiesOf(blueprint)).flatMap(([key, property]) =>
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

function pathOf(part: EntityPart, key: string): string {
  if (key.startsWith('$')) return `/${key.slice(1)}`;
  return part === 'updateProperties' ? `/properties/${key}` : `/relations/${key}`;
}
