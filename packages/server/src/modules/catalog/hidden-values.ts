import { affects, replaceSingleQuotes } from '@portolan/jq';
import type { Actor } from '../../platform/actor.ts';
import { ownValue } from '../../platform/collections.ts';
import type { StoredBlueprint } from '../blueprints/index.ts';
import { relationsOf } from '../blueprints/index.ts';
import { isNarrowed } from './read-condition.ts';

/**
 * Tells which computed properties of a blueprint the caller may not see: mirrors and aggregations whose path passes or
 * ends at entities that the caller may not all read, and what is computed from those (docs/decisions/0012). They read as
 * null, and searches find nothing by them.
 */
export function hiddenValues(
  actor: Actor,
  blueprints: readonly StoredBlueprint[],
): (blueprint: StoredBlueprint) => ReadonlySet<string> {
  const byIdentifier = new Map(blueprints.map((blueprint) => [blueprint.identifier, blueprint]));
  const closed = new Set(
    blueprints.filter((blueprint) => isNarrowed(actor, blueprint)).map(({ identifier }) => identifier),
  );
  const known = new Map<string, ReadonlySet<string>>();

  const hiddenOf = (blueprint: StoredBlueprint): ReadonlySet<string> => {
    const kept = known.get(blueprint.identifier);
    if (kept) return kept;
    const hidden = new Set<string>();
    // a circle of mirrors reads null anyway, so what is found half-way is enough
    known.set(blueprint.identifier, hidden);
    if (closed.size === 0) return hidden;
    const { mirrorProperties, aggregationProperties, calculationProperties } = blueprint.definition;
    for (const [key, { path }] of Object.entries(mirrorProperties ?? {})) {
      const segments = path.split('.');
      if (isClosed(blueprint, segments.slice(0, -1), segments.at(-1) ?? '')) hidden.add(key);
    }
    for (const [key, aggregation] of Object.entries(aggregationProperties ?? {})) {
      const { target, pathFilter, calculationSpec } = aggregation;
      const property = 'property' in calculationSpec ? String(calculationSpec['property']) : '';
      const end = byIdentifier.get(target);
      const isPathClosed = (pathFilter ?? []).some(({ path, fromBlueprint }) => {
        const start = fromBlueprint === undefined ? blueprint : byIdentifier.get(fromBlueprint);
        return start !== undefined && isClosed(start, path, '');
      });
      if (closed.has(target) || isPathClosed || (end && hiddenOf(end).has(property))) hidden.add(key);
    }
    for (const [key, { calculation }] of Object.entries(calculationProperties ?? {})) {
      if ([...hidden].some((other) => isRead(calculation, other))) hidden.add(key);
    }
    return hidden;
  };

  /** Whether a path over relations passes or ends at what is closed, or at a value that is hidden. */
  const isClosed = (start: StoredBlueprint, hops: readonly string[], property: string): boolean => {
    let at: StoredBlueprint | undefined = start;
    for (const hop of hops) {
      const target: string | undefined = hop === '$team' ? '_team' : ownValue(relationsOf(at), hop)?.target;
      at = target === undefined ? undefined : byIdentifier.get(target);
      if (!at) return false;
      if (closed.has(at.identifier)) return true;
    }
    return hiddenOf(at).has(property);
  };

  return hiddenOf;
}

function isRead(calculation: string, key: string): boolean {
  try {
    return affects(replaceSingleQuotes(calculation), ['properties', key]);
  } catch {
    // what cannot be read computes nothing
    return false;
  }
}
