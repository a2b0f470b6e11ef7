import type { Issue } from '@portolan/contract/errors';
import type { SearchQuery, SearchRule } from '@portolan/contract/search-query';
import { invalidRequest } from '../../../platform/errors.ts';
import {
  blueprintProperties,
  blueprintRelations,
  listDerivedKeys,
  type StoredBlueprint,
} from '../../blueprints/index.ts';

const recorded = new Set([
  '$identifier',
  '$title',
  '$icon',
  '$blueprint',
  '$createdAt',
  '$createdBy',
  '$updatedAt',
  '$updatedBy',
]);

/**
 * The parts of an entity that a query compares.
 * @throws AppError `invalid_request` for rules that cannot be answered of the past, each with its place
 */
export function comparedParts(query: SearchQuery, blueprint: StoredBlueprint, isInheriting: boolean): Set<string> {
  const issues: Issue[] = [];
  const parts = new Set<string>();
  const look = ({ rules }: SearchQuery, path: string): void => {
    for (const [index, rule] of rules.entries()) {
      const place = `${path}/rules/${index}`;
      if ('combinator' in rule) look(rule, place);
      else {
        const read = partsOfRule(rule, blueprint, isInheriting);
        if (typeof read === 'string') issues.push({ path: place, message: read });
        else for (const part of read) parts.add(part);
      }
    }
  };
  look(query, '/query');
  if (issues.length > 0) throw invalidRequest(issues);
  return parts;
}

/** The parts, or why the rule cannot be answered. */
function partsOfRule(rule: SearchRule, blueprint: StoredBlueprint, isInheriting: boolean): string | readonly string[] {
  if ('scorecard' in rule) return 'cannot be answered with `as_of`: results of scorecards are not recorded';
  if ('propertySchema' in rule) return Object.keys(blueprintProperties(blueprint)).map((key) => `properties.${key}`);
  if (rule.operator === 'relatedTo') {
    return 'cannot be answered with `as_of`: it follows the relations of today; compare a relation with identifiers';
  }
  if ('relation' in rule) {
    if (rule.targetProperty !== '$title') return [`relations.${rule.relation}`];
    return 'cannot be answered with `as_of`: it compares titles of today; compare the identifiers of the targets';
  }
  const { property } = rule;
  if (typeof property !== 'string') {
    return 'cannot be answered with `as_of`: name a property, a relation or a meta-property such as `$title`';
  }
  if (property === '$team' || property === '$teams') {
    return isInheriting ? 'cannot be answered with `as_of`: the teams are inherited, which is not recorded' : ['team'];
  }
  if (property.startsWith('$')) {
    if (recorded.has(property)) return [property.slice(1)];
    return `cannot be answered with \`as_of\`: ${property} is not recorded with changes`;
  }
  return partsOfProperty(property, blueprint);
}

function partsOfProperty(name: string, blueprint: StoredBlueprint): string | readonly string[] {
  const key = Object.hasOwn(blueprintProperties(blueprint), name) ? name : (name.split('.')[0] ?? name);
  if (Object.hasOwn(blueprintProperties(blueprint), key)) return [`properties.${key}`];
  if (listDerivedKeys(blueprint).includes(key)) {
    return `cannot be answered with \`as_of\`: ${key} is computed, and what it was is not recorded`;
  }
  const relation = key === 'relations' ? name.slice('relations.'.length) : name;
  return Object.hasOwn(blueprintRelations(blueprint), relation) ? [`relations.${relation}`] : [];
}
