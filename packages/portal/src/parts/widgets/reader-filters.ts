import type { Blueprint } from '@portolan/contract/blueprints';
import { isRecord } from '@portolan/contract/json-value';
import { type Field, listFields } from '../entities/fields.ts';
import { fieldOfRule, listOperators, operators, type Rule } from '../entities/operators.ts';
import { type Widget, widgetBlueprint } from './widget-shape.ts';

/** More filters than these are not read from an address. */
const rulesMax = 20;

/** The filters that a reader has put on a page, as the address says them; whatever is no rule is dropped. */
export function readRules(found: unknown): readonly Rule[] {
  if (!Array.isArray(found)) return [];
  return found.filter(isRule).slice(0, rulesMax);
}

function isRule(value: unknown): value is Rule {
  if (!isRecord(value)) return false;
  const subjects = [value['property'], value['relation']].filter((each) => each !== undefined);
  return (
    subjects.length === 1 &&
    typeof subjects[0] === 'string' &&
    typeof value['operator'] === 'string' &&
    Object.hasOwn(operators, value['operator'])
  );
}

/** The blueprints that the widgets of a page are about, however deep these are. */
export function blueprintsOn(widgets: readonly Widget[]): readonly string[] {
  const found = new Set<string>();
  const walk = (value: unknown): void => {
    if (Array.isArray(value)) return value.forEach(walk);
    if (!isRecord(value)) return;
    const widget = value as Widget;
    for (const each of [widgetBlueprint(widget), widget['targetBlueprint']])
      if (typeof each === 'string') found.add(each);
    for (const key of ['widgets', 'groups', 'lines']) walk(widget[key]);
    if (isRecord(widget['blueprintConfig'])) Object.values(widget['blueprintConfig']).forEach(walk);
  };
  walk(widgets);
  return [...found];
}

type FieldsByBlueprint = ReadonlyMap<string, readonly Field[]>;

export function fieldsByBlueprint(identifiers: readonly string[], blueprints: readonly Blueprint[]): FieldsByBlueprint {
  const known = new Map(blueprints.map((each) => [each.identifier, each]));
  return new Map(
    identifiers.flatMap((each): [string, readonly Field[]][] => {
      const blueprint = known.get(each);
      return blueprint ? [[each, listFields(blueprint, [], blueprints)]] : [];
    }),
  );
}

/** The fields that readers filter a page by: each once, those of the model before those that every blueprint has. */
export function filterFields(all: FieldsByBlueprint): readonly Field[] {
  const byKey = new Map<string, Field>();
  for (const field of [...all.values()].flat()) {
    if (field.shape.type !== 'object' && !byKey.has(field.key)) byKey.set(field.key, field);
  }
  const fields = [...byKey.values()];
  return [...fields.filter(({ source }) => source !== 'meta'), ...fields.filter(({ source }) => source === 'meta')];
}

/** The rules as filters of the page: each for the blueprints that have its property. */
export function toPageFilters(rules: readonly Rule[], all: FieldsByBlueprint): readonly Widget[] {
  return rules.flatMap((rule) =>
    [...all].flatMap(([blueprint, fields]): Widget[] =>
      applies(rule, fields) ? [{ query: { blueprint, combinator: 'and', rules: [rule] } }] : [],
    ),
  );
}

function applies(rule: Rule, fields: readonly Field[]): boolean {
  const field = fieldOfRule(rule, fields);
  return (
    field !== undefined &&
    (field.source === 'relation') === (rule.relation !== undefined) &&
    listOperators(field).includes(rule.operator)
  );
}

/** The rules with one more; another rule about the same subject is replaced. */
export function withRule(rules: readonly Rule[], rule: Rule): readonly Rule[] {
  const isSame = (other: Rule) => other.property === rule.property && other.relation === rule.relation;
  const at = rules.findIndex(isSame);
  return at < 0 ? [...rules, rule] : rules.with(at, rule);
}
