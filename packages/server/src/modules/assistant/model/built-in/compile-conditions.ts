import { type EntityInfo, namesIn, readRef, type SearchRule } from './catalog.ts';
import type { Referred } from './cite.ts';
import { CannotAnswer, missing, type OfferedTools, type Plan } from './plan-steps.ts';
import type { Condition, Counted, NameRef, Step } from './query.ts';
import type { Field } from './schema.ts';
import { callTool } from './search-page.ts';

/** A rule of a search, or several of which one holds. */
export type Rule = SearchRule | { readonly combinator: 'or'; readonly rules: readonly SearchRule[] };

/** The furthest that a relation is followed: as far as the search goes. */
const hopsMax = 15;
const groupsMax = 200;

/** The rules of a search that mean the conditions. Some need a call of their own: the caller's teams, and what others point at. */
export function* compileConditions(where: readonly Condition[], offered: OfferedTools): Plan<Rule[]> {
  const rules: Rule[] = [];
  for (const condition of where) rules.push(...(yield* compileCondition(condition, offered)));
  return rules;
}

function* compileCondition(condition: Condition, offered: OfferedTools): Plan<Rule[]> {
  switch (condition.kind) {
    case 'value':
      return [{ property: condition.field.key, operator: condition.op, value: condition.value }];
    case 'person':
      return [{ property: condition.field.key, operator: '=', value: requireEntity(condition.name).identifier }];
    case 'empty': {
      const operator = condition.isEmpty ? 'isEmpty' : 'isNotEmpty';
      if (condition.field === 'owner') return [{ property: '$team', operator }];
      return emptyRules(condition.field, condition.isEmpty);
    }
    case 'window':
      return windowRules(condition.field.key, condition.span);
    case 'owned':
      return [{ property: '$team', operator: 'containsAny', value: yield* teamNames(condition.team, offered) }];
    case 'step':
      return stepRules(condition.step, requireEntity(condition.name), condition.isClosure);
    case 'level':
      return [{ scorecard: condition.scorecard, operator: 'in', value: condition.levels }];
    case 'rule': {
      const value = condition.passes ? 'Passed' : 'Not passed';
      return [{ scorecard: condition.scorecard, scorecardRule: condition.rule, operator: '=', value }];
    }
    case 'has': {
      const counts = yield* countFor(condition.counted, offered);
      if (counts.isCut) throw new CannotAnswer('Too many are linked to compare them here.');
      const operator = condition.isEmpty ? 'notIn' : 'in';
      return [{ property: '$identifier', operator, value: [...counts.byIdentifier.keys()] }];
    }
    case 'given':
      return [{ property: '$identifier', operator: 'in', value: [...condition.identifiers] }];
    case 'linked':
      throw new CannotAnswer('The relation that is meant is not clear.');
  }
}

/** A list without items is as empty as one that was never set; to the search they differ. */
function emptyRules({ key, kind, isMany }: Field, isEmpty: boolean): Rule[] {
  const operator = isEmpty ? 'isEmpty' : 'isNotEmpty';
  if (kind === 'relation') return [{ relation: key, operator }];
  if (!isMany) return [{ property: key, operator }];
  const rules = [
    { property: key, operator },
    { property: key, operator: isEmpty ? '=' : '!=', value: [] },
  ];
  return isEmpty ? [{ combinator: 'or', rules }] : rules;
}

/** The last moment of a span is the one before its end, because ranges include both of theirs. */
function windowRules(
  property: string,
  { from, to }: { from?: string | undefined; to?: string | undefined },
): SearchRule[] {
  const start = from && `${from}T00:00:00.000Z`;
  if (from && to) {
    const last = new Date(Date.parse(to) - 1).toISOString();
    return [{ property, operator: 'between', value: { from: start, to: last } }];
  }
  if (from) return [{ property, operator: '>=', value: start }];
  return [{ property, operator: '<', value: `${to}T00:00:00.000Z` }];
}

/** Things at the other end of a relation from the entity, which is none of them itself. */
export function stepRules(
  { relation, way }: Step,
  { identifier, blueprint = '' }: EntityInfo,
  isClosure: boolean,
): SearchRule[] {
  const path = [isClosure ? { relation, maxHops: hopsMax } : relation];
  const property = way === 'forth' ? { path } : { path, fromBlueprint: blueprint };
  const rule = { property, operator: 'matchAny', value: identifier };
  return isClosure ? [rule, { property: '$identifier', operator: '!=', value: identifier }] : [rule];
}

/** `$team` may hold titles or identifiers, so every spelling of a team is looked for. */
function* teamNames(team: NameRef | 'caller', offered: OfferedTools): Plan<string[]> {
  if (team !== 'caller') {
    const { identifier, title } = requireEntity(team);
    return [...new Set([identifier, ...(title ? [title] : [])])];
  }
  if (!offered.has('describe_user_details')) throw new CannotAnswer(missing('describe_user_details'));
  const content = yield* callTool('describe_user_details', {}, offered);
  const { teams } = (content ?? {}) as { teams?: unknown };
  const names = (Array.isArray(teams) ? teams : []).flatMap((each: unknown) => {
    const { identifier } = (each ?? {}) as { identifier?: unknown };
    return [...namesIn(each), ...(typeof identifier === 'string' ? [identifier] : [])];
  });
  if (names.length === 0) throw new CannotAnswer('You belong to no team, so nothing is owned by your teams.');
  return [...new Set(names)];
}

export interface Counts extends Referred {
  readonly byIdentifier: ReadonlyMap<string, number>;
  /** Only the largest are known. */
  readonly isCut: boolean;
}

/** How many entities belong to each of what they belong to. */
export function* countFor({ type, step, where }: Counted, offered: OfferedTools): Plan<Counts> {
  const rules = yield* compileConditions(where, offered);
  const by = { relation: step === 'owner' ? '$team' : step.relation };
  const query = rules.length > 0 ? { query: { combinator: 'and', rules } } : {};
  const { groups, groupsLeftOut, _ref } = readGroups(
    yield* callTool('get_figures', { blueprint: type, ...query, by, limit: groupsMax }, offered),
  );
  const named = groups.flatMap(({ value, count }) => (typeof value === 'string' ? [[value, count] as const] : []));
  return { _ref, byIdentifier: new Map(named), isCut: groupsLeftOut > 0 };
}

export interface Groups extends Referred {
  readonly groups: readonly { readonly value: unknown; readonly count: number }[];
  readonly groupsLeftOut: number;
  readonly total: number;
}

export function readGroups(content: unknown): Groups {
  const { groups, groupsLeftOut, total } = (content ?? {}) as Partial<Groups>;
  return {
    ...readRef(content),
    groups: Array.isArray(groups) ? groups : [],
    groupsLeftOut: groupsLeftOut ?? 0,
    total: total ?? 0,
  };
}

export function requireEntity({ text, entity }: NameRef): EntityInfo {
  if (!entity) throw new CannotAnswer(`I know nothing called “${text}”.`);
  return entity;
}
