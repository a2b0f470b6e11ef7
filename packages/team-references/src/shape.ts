import type { Place, Segment } from '@portolan/jq';
import { plannedRelationChange, type ReferenceContext } from './reference-context.ts';

/**
 * The structure of an expression's input with respect to teams. `raw` has nothing to do with them; `any` is unknown, so
 * that only a step named `team` is evidence.
 */
export type Shape =
  | { readonly kind: 'raw' }
  | { readonly kind: 'any' }
  | { readonly kind: 'entity'; readonly blueprint?: string }
  | { readonly kind: 'user' }
  | { readonly kind: 'properties'; readonly blueprint?: string }
  | { readonly kind: 'relations'; readonly blueprint?: string }
  | { readonly kind: 'record'; readonly keys: Readonly<Record<string, Shape>>; readonly other: Shape }
  | { readonly kind: 'each'; readonly item: Shape }
  /** Values of `$team`. */
  | { readonly kind: 'teams' }
  /** `.user.teams`: objects with the name. */
  | { readonly kind: 'user-teams' }
  /** `.user.teamsIdentifiers`. */
  | { readonly kind: 'identifiers' }
  /** Names of teams in a property or an input of their own. */
  | { readonly kind: 'names' }
  | { readonly kind: 'relation'; readonly blueprint?: string; readonly relation: string };

export const raw: Shape = { kind: 'raw' };
export const any: Shape = { kind: 'any' };
export const entityShape = (blueprint?: string): Shape =>
  blueprint === undefined ? { kind: 'entity' } : { kind: 'entity', blueprint };
export const record = (keys: Readonly<Record<string, Shape>>, other: Shape = raw): Shape => ({
  kind: 'record',
  keys,
  other,
});
export const each = (item: Shape): Shape => ({ kind: 'each', item });

const withBlueprint = (blueprint: string | undefined) => (blueprint === undefined ? {} : { blueprint });

/** The shape after one known step. */
function stepInto(shape: Shape, step: string | number, world: ReferenceContext): Shape {
  switch (shape.kind) {
    case 'raw':
      return raw;
    case 'any':
      return step === 'team' || step === '$team' ? { kind: 'teams' } : typeof step === 'number' ? any : anyChild(step);
    case 'entity':
      if (typeof step === 'number') return shape;
      if (step === 'team' || step === '$team') return { kind: 'teams' };
      if (step === 'relations') return { kind: 'relations', ...withBlueprint(shape.blueprint) };
      if (step === 'properties') return { kind: 'properties', ...withBlueprint(shape.blueprint) };
      return raw;
    case 'user':
      if (step === 'team' || step === '$team') return { kind: 'teams' };
      if (step === 'teams') return { kind: 'user-teams' };
      if (step === 'teamsIdentifiers') return { kind: 'identifiers' };
      if (step === 'relations') return { kind: 'relations', blueprint: '_user' };
      if (step === 'properties') return { kind: 'properties', blueprint: '_user' };
      return raw;
    case 'properties': {
      const facts = shape.blueprint === undefined ? undefined : world.blueprints.get(shape.blueprint);
      return typeof step === 'string' && facts?.teamProperties.has(step) ? { kind: 'names' } : raw;
    }
    case 'relations': {
      if (typeof step !== 'string' || plannedRelationChange(world, shape.blueprint, step) === 'none') return raw;
      return { kind: 'relation', relation: step, ...withBlueprint(shape.blueprint) };
    }
    case 'record':
      return typeof step === 'string' && Object.hasOwn(shape.keys, step) ? shape.keys[step]! : shape.other;
    case 'each':
      return shape.item;
    default:
      return shape;
  }
}

/** Containers with user-defined keys; `.team` inside them is unrelated. */
const foreign = new Set(['properties', 'inputs', 'headers', 'queryParams', 'body', 'secrets']);
function anyChild(step: string): Shape {
  if (step === 'relations') return { kind: 'relations' };
  return foreign.has(step) ? raw : any;
}

/** The shapes after one unknown step. */
function childShapes(shape: Shape, world: ReferenceContext): Shape[] {
  switch (shape.kind) {
    case 'raw':
    case 'any':
    case 'properties':
      return [raw];
    case 'entity':
      return [
        { kind: 'teams' },
        { kind: 'relations', ...withBlueprint(shape.blueprint) },
        { kind: 'properties', ...withBlueprint(shape.blueprint) },
      ];
    case 'user':
      return [{ kind: 'teams' }, { kind: 'user-teams' }, { kind: 'relations', blueprint: '_user' }];
    case 'relations': {
      const names = shape.blueprint === undefined ? world.removedNames : world.removed.get(shape.blueprint);
      return [...(names ?? [])].map((relation) => ({
        kind: 'relation',
        relation,
        ...withBlueprint(shape.blueprint),
      }));
    }
    case 'record':
      return [...Object.values(shape.keys), shape.other];
    case 'each':
      return [shape.item];
    default:
      return [shape];
  }
}

/** The shape itself and all shapes inside it. */
function descendantShapes(shape: Shape, world: ReferenceContext, depth = 0): Shape[] {
  if (depth > 6) return [shape];
  const inner = childShapes(shape, world).filter((child) => child !== shape);
  return [shape, ...inner.flatMap((child) => descendantShapes(child, world, depth + 1))];
}

export interface ReachedShape {
  readonly shape: Shape;
  /** Whether every step was known. */
  readonly isExact: boolean;
}

/** The shapes that a place can have. */
export function reach(shape: Shape, place: Place, world: ReferenceContext): ReachedShape[] {
  let at: ReachedShape[] = [{ shape, isExact: true }];
  for (const step of place) {
    at = at.flatMap((reached) =>
      nextShapes(reached.shape, step, world).map((next) => ({
        shape: next,
        isExact: reached.isExact && (typeof step !== 'object' || isList(reached.shape)),
      })),
    );
  }
  return at;
}

const isList = ({ kind }: Shape): boolean => !['entity', 'user', 'record', 'relations'].includes(kind);

function nextShapes(shape: Shape, step: Segment, world: ReferenceContext): Shape[] {
  if (typeof step !== 'object') return [stepInto(shape, step, world)];
  return step.any === 'one' ? childShapes(shape, world) : descendantShapes(shape, world);
}

/** Whether a value of the shape is or contains teams or a removed relation. */
export function holdsTeams(shape: Shape, world: ReferenceContext): boolean {
  return descendantShapes(shape, world).some(
    ({ kind, ...rest }) =>
      kind === 'teams' ||
      kind === 'user-teams' ||
      (kind === 'relation' &&
        plannedRelationChange(
          world,
          (rest as { blueprint?: string }).blueprint,
          (rest as { relation: string }).relation,
        ) === 'removed'),
  );
}
