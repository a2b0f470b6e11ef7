import type { SearchQuery } from '@portolan/contract/search-query';
import type { PathRef } from '@portolan/contract/search-values';
import { blueprintRelations, type StoredBlueprint } from '../blueprints/index.ts';
import { type ByIdentifier, blueprintsPassed, resolvePath, teamHop } from './relation-path.ts';

/** Keys of blueprints a query reads beside the searched one: those its rules pass or end at. */
export function blueprintsRead(query: SearchQuery, searched: StoredBlueprint, blueprints: ByIdentifier): number[] {
  return query.rules.flatMap((rule): number[] => {
    if ('combinator' in rule) return blueprintsRead(rule, searched, blueprints);
    if ('relation' in rule) {
      // the identifiers are on the entity itself
      return rule.targetProperty === '$title'
        ? blueprintKeys(relationTargets([searched], rule.relation, blueprints))
        : [];
    }
    if ('blueprint' in rule) {
      const named = blueprints.get(rule.blueprint);
      return named ? [named.key, ...blueprintsPassed(resolvePath(searched, named, blueprints))] : [];
    }
    const property = 'property' in rule ? rule.property : undefined;
    return typeof property === 'object' && 'path' in property ? alongPath(property, searched, blueprints) : [];
  });
}

function alongPath({ path, fromBlueprint }: PathRef, searched: StoredBlueprint, blueprints: ByIdentifier): number[] {
  const named = fromBlueprint === undefined ? undefined : blueprints.get(fromBlueprint);
  let at = fromBlueprint === undefined ? [searched] : named ? [named] : [];
  const passed = named ? [named.key] : [];
  for (const hop of path) {
    const [relation, hopsMax] = typeof hop === 'string' ? [hop, 1] : [hop.relation, hop.maxHops];
    const reached = new Set<StoredBlueprint>();
    for (let hops = 0, step = at; hops < hopsMax && step.length > 0; hops += 1) {
      step = relationTargets(step, relation, blueprints);
      for (const each of step) reached.add(each);
    }
    at = [...reached];
    passed.push(...blueprintKeys(at));
  }
  return passed;
}

function relationTargets(
  from: readonly StoredBlueprint[],
  relation: string,
  blueprints: ByIdentifier,
): StoredBlueprint[] {
  const targets = from.flatMap((blueprint) => {
    const relations = blueprintRelations(blueprint);
    const target = Object.hasOwn(relations, relation) ? relations[relation]?.target : undefined;
    return blueprints.get(relation === teamHop ? '_team' : (target ?? '')) ?? [];
  });
  return [...new Set(targets)];
}

function blueprintKeys(blueprints: readonly StoredBlueprint[]): number[] {
  return blueprints.map(({ key }) => key);
}
