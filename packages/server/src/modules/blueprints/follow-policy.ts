import { isRecord } from '@portolan/contract/json-value';
import type { SearchQuery, SearchRule } from '@portolan/contract/search-query';
import type { PathRef } from '@portolan/contract/search-values';
import { ownValue } from '../../platform/collections.ts';
import type { EntityRights, Grant } from '../rights/index.ts';
import { blueprintRelations, type StoredBlueprint } from './blueprint.ts';
import { mapGrants } from './blueprint-permissions.ts';
import type { KeyRename } from './follow-key.ts';

type Blueprints = ReadonlyMap<string, StoredBlueprint>;
type PropertyReference = Exclude<Extract<SearchRule, { readonly property: unknown }>['property'], string | PathRef>;

/**
 * Rights of a blueprint whose policies name what is renamed: its keys, relations on paths, properties of the caller.
 * `blueprints` are from before the rename. The same object if nothing changes.
 */
export function followKeyInPolicies(
  rights: EntityRights,
  owner: StoredBlueprint,
  rename: KeyRename,
  blueprints: Blueprints,
): EntityRights {
  const { from, to, kind, blueprint } = rename;
  const own = (name: string) => (owner.identifier === blueprint && name === from ? to : name);
  const ofCaller = (named: PropertyReference): PropertyReference => {
    const isHere = blueprint === (named.context === 'user' ? '_user' : '_team');
    return isHere && named.property === from ? { ...named, property: to } : named;
  };
  const path = (ref: PathRef): PathRef =>
    kind === 'relation' ? { ...ref, path: followHops(ref, owner, rename, blueprints) } : ref;
  return mapPolicies(rights, (rule) => {
    if (!('property' in rule)) return rule;
    const { property } = rule;
    const next =
      typeof property === 'string' ? own(property) : 'context' in property ? ofCaller(property) : path(property);
    const value = 'value' in rule && isCaller(rule.value) ? { value: ofCaller(rule.value) } : {};
    return { ...rule, property: next, ...value } as SearchRule;
  });
}

/** The same for a renamed blueprint: starts of paths, targets of `relatedTo`, and `$blueprint` rules. */
export function followBlueprintInPolicies(rights: EntityRights, from: string, to: string): EntityRights {
  const renamed = (value: unknown): unknown => (value === from ? to : value);
  return mapPolicies(rights, (rule) => {
    if ('blueprint' in rule) return { ...rule, blueprint: renamed(rule.blueprint) } as SearchRule;
    if (!('property' in rule)) return rule;
    if (rule.property === '$blueprint' && 'value' in rule) {
      const { value } = rule;
      return { ...rule, value: Array.isArray(value) ? value.map(renamed) : renamed(value) } as SearchRule;
    }
    if (typeof rule.property !== 'object' || !('path' in rule.property) || !rule.property.fromBlueprint) return rule;
    return {
      ...rule,
      property: { ...rule.property, fromBlueprint: renamed(rule.property.fromBlueprint) },
    } as SearchRule;
  });
}

function mapPolicies(rights: EntityRights, change: (rule: SearchRule) => SearchRule): EntityRights {
  const mapQuery = (query: SearchQuery): SearchQuery => ({
    ...query,
    rules: query.rules.map((rule) => ('combinator' in rule ? mapQuery(rule) : change(rule))),
  });
  const next = mapGrants(rights, (grant: Grant) =>
    grant.policy === undefined ? grant : { ...grant, policy: mapQuery(grant.policy as SearchQuery) },
  );
  return JSON.stringify(next) === JSON.stringify(rights) ? rights : next;
}

function isCaller(value: unknown): value is PropertyReference {
  return isRecord(value) && 'context' in value;
}

function followHops(
  { path, fromBlueprint }: PathRef,
  owner: StoredBlueprint,
  rename: KeyRename,
  blueprints: Blueprints,
) {
  const start = fromBlueprint === undefined ? owner : blueprints.get(fromBlueprint);
  let at = new Set(start ? [start.identifier] : []);
  return path.map((hop) => {
    const relation = typeof hop === 'string' ? hop : hop.relation;
    const isHere = relation === rename.from && at.has(rename.blueprint);
    const reached = [...at].flatMap((name) => relationTarget(blueprints.get(name), relation) ?? []);
    // a hop with `maxHops` may also be skipped
    at = new Set(typeof hop === 'string' ? reached : [...at, ...reached]);
    if (!isHere) return hop;
    return typeof hop === 'string' ? rename.to : { ...hop, relation: rename.to };
  });
}

function relationTarget(blueprint: StoredBlueprint | undefined, relation: string): string | undefined {
  if (relation === '$team') return '_team';
  return blueprint && ownValue(blueprintRelations(blueprint), relation)?.target;
}
