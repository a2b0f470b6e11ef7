import type { Entity } from './catalog-fixtures.ts';
import { matches, type NaiveRule } from './naive-search.ts';

export interface NaiveGrant {
  readonly roles: readonly string[];
  readonly users: readonly string[];
  readonly teams: readonly string[];
  readonly ownedByTeam: boolean;
  readonly policy?: NaivePolicy | null;
}

type Context = { readonly context: 'user' | 'userTeams'; readonly property: string };
export type NaivePolicyRule = {
  readonly property: string | Context;
  readonly operator: string;
  readonly value?: unknown;
};
export type NaivePolicy = {
  readonly combinator: 'and' | 'or';
  readonly rules: readonly (NaivePolicyRule | NaivePolicy)[];
};

/** A person as rights see people: role, address, teams that exist, and what contexts may name. */
export interface NaivePerson {
  readonly address: string;
  readonly roles: readonly string[];
  readonly teams: readonly string[];
  readonly properties: Readonly<Record<string, unknown>>;
}

/** What a world of names knows: the properties of the blueprint and of people, and which names are teams. */
export interface NaiveWorld {
  readonly properties: readonly string[];
  readonly callerProperties: readonly string[];
  readonly teams: readonly string[];
}

/** The rights of users-and-teams §5.2, written out for one person and one entity. */
export function naiveAllows(world: NaiveWorld, person: NaivePerson, grant: NaiveGrant, entity: Entity): boolean {
  if (person.roles.includes('Admin')) return true;
  if (grant.roles.some((role) => person.roles.includes(role))) return true;
  if (grant.ownedByTeam && entity.team.some((team) => person.teams.includes(team) && world.teams.includes(team))) {
    return true;
  }
  if (grant.teams.some((team) => person.teams.includes(team))) return true;
  if (grant.users.includes(person.address)) return true;
  if (!grant.policy || grant.ownedByTeam || !isWhole(world, grant.policy)) return false;
  return holds(world, person, grant.policy, entity);
}

/** Whether everything the policy names is there, and no group is empty. */
function isWhole(world: NaiveWorld, policy: NaivePolicy | NaivePolicyRule): boolean {
  if ('combinator' in policy) return policy.rules.length > 0 && policy.rules.every((rule) => isWhole(world, rule));
  return [policy.property, policy.value].every((part, index) => {
    if (isContext(part)) return [...world.callerProperties, '$identifier', '$title', '$team'].includes(part.property);
    return index === 1 || String(part).startsWith('$') || world.properties.includes(part as string);
  });
}

function isContext(part: unknown): part is Context {
  return typeof part === 'object' && part !== null && 'context' in part;
}

function holds(world: NaiveWorld, person: NaivePerson, policy: NaivePolicy | NaivePolicyRule, entity: Entity): boolean {
  if ('combinator' in policy) {
    return policy.combinator === 'and'
      ? policy.rules.every((rule) => holds(world, person, rule, entity))
      : policy.rules.some((rule) => holds(world, person, rule, entity));
  }
  const rule = filledIn(person, policy);
  if (!rule) return false;
  if (!isContext(policy.property))
    return rule.property === '$team' ? ownedBy(world, rule, entity) : matches(entity, rule);
  const values = readValues(person, policy.property);
  if (values.length === 0) return false;
  const gate = policy.property.context === 'user' && values.length === 1 ? values[0] : values;
  return matches({ ...entity, properties: { gate } }, { ...rule, property: 'gate' });
}

/** The rule with the caller's values in it; undefined where there are none. */
function filledIn(person: NaivePerson, { property, operator, value }: NaivePolicyRule): NaiveRule | undefined {
  const name = isContext(property) ? '' : property;
  if (!isContext(value)) return { property: name, operator, value };
  const values = readValues(person, value);
  if (values.length === 0) return undefined;
  if (values.length === 1 || ['>', '>=', '<', '<=', 'beginsWith'].includes(operator)) {
    return { property: name, operator, value: values[0] };
  }
  return { property: name, operator: { '=': 'in', '!=': 'notIn' }[operator] ?? operator, value: values };
}

function readValues(person: NaivePerson, { context, property }: Context): unknown[] {
  if (context === 'userTeams') return property === '$identifier' ? [...person.teams].sort() : [];
  if (property === '$identifier') return [person.address];
  if (property === '$team') return [...person.teams].sort();
  const value = person.properties[property];
  return (Array.isArray(value) ? value : [value]).filter((each) => each !== null && each !== undefined);
}

/** Names that are no team grant neither by being there nor by being something else. */
function ownedBy({ teams }: NaiveWorld, rule: NaiveRule, entity: Entity): boolean {
  const resolved = { ...entity, team: entity.team.filter((team) => teams.includes(team)) };
  const isResolved = resolved.team.length === entity.team.length;
  switch (rule.operator) {
    case 'in':
    case 'containsAny':
    case 'isNotEmpty':
      return matches(resolved, rule);
    case 'isEmpty':
      return matches(entity, rule);
    default:
      return isResolved && matches(entity, rule);
  }
}
