import { isRecord } from '@portolan/contract/json-value';
import { type Field, isGroupable, isSortable } from './fields.ts';
import { fieldOfRule, isQuery, operators, type Query, type Rule } from './operators.ts';
import type { View } from './view.ts';

/**
 * A view from an address, which may be old, cut short or written by hand: what is understood applies, and `ignored`
 * names the rest. A setting that was removed on purpose is null there and undefined here.
 */
export function readView(
  found: unknown,
  fields: readonly Field[],
): { readonly own: View | undefined; readonly ignored: readonly string[] } {
  if (found === undefined) return { own: undefined, ignored: [] };
  if (!isRecord(found)) return { own: undefined, ignored: ['the view'] };
  const ignored: string[] = [];
  const own: { -readonly [Key in keyof View]: View[Key] } = {};
  const known = (key: unknown, fits: (field: Field) => boolean = () => true): string | undefined => {
    const field = fields.find((each) => each.key === key);
    if (field && fits(field)) return field.key;
    ignored.push(typeof key === 'string' ? key : JSON.stringify(key));
    return undefined;
  };
  if ('filter' in found) own.filter = found['filter'] ? readQuery(found['filter'], fields, ignored) : undefined;
  if ('sort' in found) own.sort = readSort(found['sort'], (key) => known(key, isSortable));
  if ('group' in found) own.group = found['group'] ? known(found['group'], isGroupable) : undefined;
  if (Array.isArray(found['columns'])) {
    const columns = [...new Set(found['columns'].flatMap((key) => known(key) ?? []))];
    if (columns.length > 0) own.columns = columns.includes('$title') ? columns : ['$title', ...columns];
  }
  return { own, ignored: [...new Set(ignored)] };
}

function readSort(found: unknown, known: (key: unknown) => string | undefined): View['sort'] {
  if (!isRecord(found)) return undefined;
  const property = known(found['property']);
  return property === undefined ? undefined : { property, order: found['order'] === 'desc' ? 'desc' : 'asc' };
}

const deepest = 5;

function readQuery(found: unknown, fields: readonly Field[], ignored: string[], depth = 0): Query | undefined {
  if (!isRecord(found) || !Array.isArray(found['rules']) || depth > deepest) {
    ignored.push('a filter');
    return undefined;
  }
  const rules = found['rules'].flatMap((rule): (Rule | Query)[] => {
    if (isRecord(rule) && isQuery(rule as Rule | Query)) {
      const inner = readQuery(rule, fields, ignored, depth + 1);
      return inner ? [inner] : [];
    }
    if (isKnownRule(rule, fields)) return [rule];
    const subject = isRecord(rule) ? (rule['property'] ?? rule['relation'] ?? rule['scorecard']) : undefined;
    ignored.push(typeof subject === 'string' ? subject : 'a filter');
    return [];
  });
  return rules.length === 0 ? undefined : { combinator: found['combinator'] === 'or' ? 'or' : 'and', rules };
}

function isKnownRule(rule: unknown, fields: readonly Field[]): rule is Rule {
  if (!isRecord(rule) || typeof rule['operator'] !== 'string') return false;
  return Object.hasOwn(operators, rule['operator']) && fieldOfRule(rule as Rule, fields) !== undefined;
}
