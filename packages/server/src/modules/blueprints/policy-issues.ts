import type { Issue } from '@portolan/contract/errors';
import { isRecord } from '@portolan/contract/json-value';
import type { SearchQuery, SearchRule } from '@portolan/contract/search-query';
import type { PathRef } from '@portolan/contract/search-values';
import { ownValue } from '../../platform/collections.ts';
import { blueprintProperties, blueprintRelations, listDerivedKeys, type StoredBlueprint } from './blueprint.ts';

type Blueprints = ReadonlyMap<string, StoredBlueprint>;

const metaProperties = new Set([
  '$identifier',
  '$title',
  '$icon',
  '$team',
  '$blueprint',
  '$createdAt',
  '$createdBy',
  '$updatedAt',
  '$updatedBy',
  '$datasource',
]);

/** Properties of a caller that exist even if users and teams are no entities. */
const callerProperties = new Set(['$identifier', '$title', '$team']);

/**
 * Everything unknown in a policy: properties of the blueprint, of the caller or the caller's teams, relations on a
 * path, blueprints; also groups without rules. A policy with one of these grants nothing, whatever its other rules say.
 */
export function policyIssues(query: SearchQuery, blueprint: StoredBlueprint, blueprints: Blueprints): Issue[] {
  return issuesIn(query, '', blueprint, blueprints);
}

function issuesIn({ rules }: SearchQuery, path: string, blueprint: StoredBlueprint, blueprints: Blueprints): Issue[] {
  // as a search it would match everything, which no right intends
  if (rules.length === 0) return [{ path: `${path}/rules`, message: 'holds no rules' }];
  return rules.flatMap((rule, index) => {
    const at = `${path}/rules/${index}`;
    return 'combinator' in rule
      ? issuesIn(rule, at, blueprint, blueprints)
      : ruleIssues(rule, at, blueprint, blueprints);
  });
}

function ruleIssues(rule: SearchRule, at: string, blueprint: StoredBlueprint, blueprints: Blueprints): Issue[] {
  if ('propertySchema' in rule) {
    const { type, format } = rule.propertySchema;
    const some = Object.values(blueprintProperties(blueprint)).some(
      (property) => property.type === type && (format === undefined || property.format === format),
    );
    return some ? [] : [{ path: `${at}/propertySchema`, message: 'fits no property of the blueprint' }];
  }
  if ('blueprint' in rule) {
    return blueprints.has(rule.blueprint)
      ? []
      : [{ path: `${at}/blueprint`, message: missingBlueprint(rule.blueprint) }];
  }
  // the other forms are for searches within one blueprint, which policies cannot contain
  if (!('property' in rule)) return [];
  const value = 'value' in rule ? rule.value : undefined;
  return [
    ...propertyIssues(rule.property, `${at}/property`, blueprint, blueprints),
    ...(isContext(value) ? callerIssues(value, `${at}/value`, blueprints) : []),
  ];
}

type Property = Extract<SearchRule, { readonly property: unknown }>['property'];

function propertyIssues(property: Property, at: string, blueprint: StoredBlueprint, blueprints: Blueprints): Issue[] {
  if (typeof property === 'string') {
    const isThere = property.startsWith('$') ? metaProperties.has(property) : hasValue(blueprint, property);
    if (!isThere) return [{ path: at, message: `"${property}" is not a property of "${blueprint.identifier}"` }];
    // a mirror holds names, even of no team: comparing it would let them grant
    const isOfTeams = ownValue(blueprint.definition.mirrorProperties ?? {}, property)?.path.endsWith('.$team') ?? false;
    return isOfTeams ? [{ path: at, message: `mirrors names of teams: use a path that ends at $team` }] : [];
  }
  if ('context' in property) return callerIssues(property, at, blueprints);
  return pathIssues(property, at, blueprint, blueprints);
}

/** A property, relation or computed value, or a key inside an object. */
function hasValue(blueprint: StoredBlueprint, name: string): boolean {
  const derived = listDerivedKeys(blueprint);
  const properties = blueprintProperties(blueprint);
  if (ownValue(properties, name) || ownValue(blueprintRelations(blueprint), name) || derived.includes(name))
    return true;
  const [head = '', ...inner] = name.split('.');
  return inner.join('.') !== '' && (ownValue(properties, head)?.type === 'object' || derived.includes(head));
}

function isContext(value: unknown): value is { context: 'user' | 'userTeams'; property: string } {
  return isRecord(value) && 'context' in value;
}

function callerIssues(
  { context, property }: { readonly context: 'user' | 'userTeams'; readonly property: string },
  at: string,
  blueprints: Blueprints,
): Issue[] {
  if (callerProperties.has(property)) return [];
  const identifier = context === 'user' ? '_user' : '_team';
  const blueprint = blueprints.get(identifier);
  const names = blueprint && [
    ...Object.keys(blueprintProperties(blueprint)),
    ...Object.keys(blueprintRelations(blueprint)),
    ...listDerivedKeys(blueprint),
  ];
  if (names?.includes(property)) return [];
  const message = blueprint
    ? `"${property}" is not a property of "${identifier}"`
    : `nothing but $identifier, $title and $team is known of the caller here: "${identifier}" is not a blueprint yet`;
  return [{ path: `${at}/property`, message }];
}

/** A path must follow existing relations, and with `fromBlueprint` end at the blueprint. */
function pathIssues({ path, fromBlueprint }: PathRef, at: string, blueprint: StoredBlueprint, blueprints: Blueprints) {
  const start = fromBlueprint === undefined ? blueprint : blueprints.get(fromBlueprint);
  if (!start) return [{ path: `${at}/fromBlueprint`, message: missingBlueprint(fromBlueprint ?? '') }];
  let ends = new Set([start]);
  for (const [index, hop] of path.entries()) {
    const relation = typeof hop === 'string' ? hop : hop.relation;
    const reached = new Set<StoredBlueprint>();
    let from = ends;
    for (let hops = typeof hop === 'string' ? 1 : hop.maxHops; hops > 0; hops -= 1) {
      from = new Set([...from].flatMap((each) => relationTarget(each, relation, blueprints) ?? []));
      for (const each of from) reached.add(each);
    }
    if (reached.size === 0) return [{ path: `${at}/path/${index}`, message: `"${relation}" leads nowhere from here` }];
    ends = typeof hop === 'string' || index === 0 ? reached : new Set([...reached, ...ends]);
  }
  const leadsBack = fromBlueprint === undefined || [...ends].some(({ key }) => key === blueprint.key);
  return leadsBack ? [] : [{ path: `${at}/path`, message: `does not lead to "${blueprint.identifier}"` }];
}

function relationTarget(
  blueprint: StoredBlueprint,
  relation: string,
  blueprints: Blueprints,
): StoredBlueprint | undefined {
  const target = relation === '$team' ? '_team' : ownValue(blueprintRelations(blueprint), relation)?.target;
  return target === undefined ? undefined : blueprints.get(target);
}

function missingBlueprint(identifier: string): string {
  return `"${identifier}" is not a blueprint`;
}
