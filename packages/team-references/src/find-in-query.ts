import type { Json, JsonObject } from './documents.ts';
import { findInExpression } from './find-in-expression.ts';
import { findInTemplate } from './find-in-template.ts';
import { type Finding, worst } from './finding.ts';
import { isObject } from './json-pointer.ts';
import type { TeamReference, Verdict } from './plan.ts';
import { plannedRelationChange, type ReferenceContext } from './reference-context.ts';
import { raw, type Shape } from './shape.ts';

export interface RuleContext {
  /** The blueprint of the rules, if known. */
  readonly blueprint?: string;
  /** The input of `{{ }}` and `jqQuery` in values. */
  readonly shape?: Shape;
}

const safeTexts = /^\s*(My Teams|\{\{\s*getUserTeams\(\s*\)\s*\}\})\s*$/i;

/** The references to teams in a search rule; `suggestion.value` is the rewritten rule. */
export function findInRule(rule: JsonObject, context: RuleContext, world: ReferenceContext): Finding | undefined {
  const subject = findSubject(rule, context, world);
  const value = rule['value'];
  const isOfTeams = subject.kind === 'team' || subject.kind === 'names' || subject.kind === 'relation';
  const values = findInValue(value, context, world, isOfTeams ? 'rule' : 'value');
  const literals =
    subject.kind === 'team' || subject.kind === 'names' ? titlesIn(value, subject.kind, world) : undefined;
  const isAboutUser = isObject(value) && /^(user|userTeams)$/.test(String(value['context']));
  const references: TeamReference[] = [
    ...subject.references,
    ...(literals?.references ?? []),
    ...(values?.references ?? []),
  ];
  if (isAboutUser && (value['context'] === 'userTeams' || /team/i.test(String(value['property']))))
    references.push({ kind: 'user-teams', text: JSON.stringify(value) });
  if (references.length === 0) return undefined;
  const verdicts: [Verdict, string][] = [
    [subject.verdict, subject.why],
    ...(literals ? [[literals.verdict, literals.why] as [Verdict, string]] : []),
    ...(values ? [[values.verdict, values.why] as [Verdict, string]] : []),
  ];
  const verdict = worst(verdicts.map(([each]) => each));
  const changed: JsonObject = {
    ...(subject.rule ?? rule),
    ...(literals?.value === undefined ? {} : { value: literals.value }),
    ...(values?.suggestion === undefined ? {} : { value: values.suggestion.value as Json }),
  };
  const isChanged = subject.rule !== undefined || literals?.value !== undefined || values?.suggestion !== undefined;
  return {
    references,
    verdict,
    why: verdicts.find(([each, why]) => each === verdict && why !== '')?.[1] ?? 'Refers to teams and goes on working.',
    ...(isChanged
      ? {
          suggestion: {
            value: changed,
            explanation: [subject.explanation, literals?.explanation, values?.suggestion?.explanation]
              .filter((part) => part !== undefined && part !== '')
              .join(' '),
          },
        }
      : {}),
  };
}

interface Subject {
  readonly kind: 'team' | 'names' | 'relation' | 'other';
  readonly references: readonly TeamReference[];
  readonly verdict: Verdict;
  readonly why: string;
  readonly rule?: JsonObject;
  readonly explanation?: string;
}

const other: Subject = { kind: 'other', references: [], verdict: 'mentions', why: '' };

/** The subject of the rule. */
function findSubject(rule: JsonObject, { blueprint }: RuleContext, world: ReferenceContext): Subject {
  const { property, relation } = rule as { property?: Json; relation?: Json };
  if (typeof relation === 'string') return relationRule(rule, relation, blueprint, world);
  if (rule['operator'] === 'relatedTo' && rule['blueprint'] === '_team') {
    return {
      ...other,
      references: [{ kind: 'team', text: '_team' }],
      why: 'Asks for what is related to a team, by its identifier.',
    };
  }
  if (isObject(property)) return propertyObject(rule, property, blueprint, world);
  if (typeof property !== 'string') return other;
  if (property === '$team' || property === 'team') {
    return { ...other, kind: 'team', references: [{ kind: 'team', text: property }] };
  }
  const facts = blueprint === undefined ? undefined : world.blueprints.get(blueprint);
  if (facts?.teamProperties.has(property)) {
    return { ...other, kind: 'names', references: [] };
  }
  const bare = property.replace(/^relations?[.#]/, '');
  const isRelation = bare !== property || (facts !== undefined && !facts.properties.has(property));
  if (!isRelation && facts !== undefined) return other;
  if (facts === undefined && bare === property && knownElsewhere(world, property)) return other;
  if (plannedRelationChange(world, blueprint, bare) !== 'removed') return other;
  return removed(bare, { ...rule, property: '$team' });
}

/** Whether some blueprint has a property of that name, in which case the bare name is no evidence. */
function knownElsewhere(world: ReferenceContext, property: string): boolean {
  return [...world.blueprints.values()].some(({ properties }) => properties.has(property));
}

function removed(relation: string, rule?: JsonObject): Subject {
  return {
    kind: 'relation',
    references: [{ kind: 'relation', text: relation, name: relation }],
    verdict: 'breaks',
    why: `Asks for the relation "${relation}", which the migration removes.`,
    ...(rule === undefined
      ? {}
      : { rule, explanation: `The relation "${relation}" has become the teams of the entity, $team.` }),
  };
}

function relationRule(
  rule: JsonObject,
  relation: string,
  blueprint: string | undefined,
  world: ReferenceContext,
): Subject {
  const change = plannedRelationChange(world, blueprint, relation);
  if (change === 'none') return other;
  if (change === 'kept') {
    return {
      ...other,
      references: [{ kind: 'relation', text: relation, name: relation }],
      why: `Asks for the relation "${relation}" to teams, which stays.`,
    };
  }
  if (change === 'review') {
    return {
      ...other,
      references: [{ kind: 'relation', text: relation, name: relation }],
      verdict: 'review',
      why: `Asks for a relation "${relation}" that the blueprint does not have.`,
    };
  }
  const { relation: _gone, targetProperty, ...rest } = rule;
  const isByIdentifier = targetProperty === undefined || targetProperty === '$identifier';
  return removed(relation, isByIdentifier ? { property: '$team', ...rest } : undefined);
}

function propertyObject(
  rule: JsonObject,
  property: JsonObject,
  blueprint: string | undefined,
  world: ReferenceContext,
): Subject {
  const { context, property: name, path } = property;
  if (context === 'user' || context === 'userTeams') {
    const isTeam = name === '$team' || name === 'team';
    const isOfTeams = isTeam || context === 'userTeams';
    if (!isOfTeams) return other;
    const kind = isTeam || name === '$identifier' ? 'team' : 'other';
    return { ...other, kind, references: [{ kind: 'user-teams', text: `${context}.${String(name)}` }] };
  }
  if (!Array.isArray(path)) return other;
  const start = typeof property['fromBlueprint'] === 'string' ? property['fromBlueprint'] : blueprint;
  const names = path.map((hop) => (isObject(hop) ? hop['relation'] : hop));
  if (names.some((hop) => hop === '$team'))
    return { ...other, kind: 'other', references: [{ kind: 'team', text: '$team' }] };
  const at = gone(names, start, world);
  if (at === undefined) return other;
  const followed = path.map((hop, index) =>
    index !== at ? hop : isObject(hop) ? { ...hop, relation: '$team' } : '$team',
  );
  return removed(String(names[at]), { ...rule, property: { ...property, path: followed } });
}

/** The hop of a path that is a removed relation. */
export function gone(
  hops: readonly (Json | undefined)[],
  start: string | undefined,
  world: ReferenceContext,
): number | undefined {
  let at = start;
  for (const [index, hop] of hops.entries()) {
    if (typeof hop !== 'string') return undefined;
    if (plannedRelationChange(world, at, hop) === 'removed') return index;
    at =
      at === undefined ? undefined : hop === '$team' ? '_team' : world.blueprints.get(at)?.relations.get(hop)?.target;
  }
  return undefined;
}

interface Literals {
  readonly references: readonly TeamReference[];
  readonly verdict: Verdict;
  readonly why: string;
  readonly value?: Json;
  readonly explanation?: string;
}

/** The titles that a rule on teams compares with. In the beta these values are already identifiers. */
function titlesIn(value: Json | undefined, kind: 'team' | 'names', world: ReferenceContext): Literals | undefined {
  const texts = (Array.isArray(value) ? value : [value]).filter((each): each is string => typeof each === 'string');
  const plain = texts.filter((text) => !text.includes('{{') && !safeTexts.test(text));
  const titles = plain.filter((text) => world.identifierOf.has(text));
  if (titles.length === 0) return undefined;
  const references = titles.map((title): TeamReference => ({ kind: 'title', text: title, name: title }));
  if (kind === 'names') {
    return {
      references: [{ kind: 'team', text: 'format: team' }, ...references],
      verdict: 'review',
      why: 'Compares names of teams that a property holds; the values of such properties are not rewritten.',
    };
  }
  if (world.model === 'beta') {
    const identifiers = titles.filter((title) => world.identifiers.has(title));
    if (identifiers.length === titles.length) return undefined;
    return {
      references,
      verdict: 'review',
      why: 'Compares $team with a title, where the beta has identifiers already.',
      ...mapped(value, world),
    };
  }
  return {
    references,
    verdict: 'breaks',
    why: 'Compares $team with the title of a team; after the migration it holds identifiers.',
    ...mapped(value, world),
  };
}

function mapped(value: Json | undefined, world: ReferenceContext): { value: Json; explanation: string } {
  const explanations: string[] = [];
  const map = (each: Json): Json => {
    const identifier = typeof each === 'string' ? world.identifierOf.get(each) : undefined;
    if (identifier === undefined) return each;
    explanations.push(`"${String(each)}" is the team ${identifier}.`);
    return identifier;
  };
  const after = Array.isArray(value) ? [...new Set(value.map(map))] : map(value ?? null);
  return { value: after, explanation: [...new Set(explanations)].join(' ') };
}

/** Templates and `jqQuery` in a rule's value. */
function findInValue(
  value: Json | undefined,
  { shape = raw }: RuleContext,
  world: ReferenceContext,
  sink: 'rule' | 'value',
): Finding | undefined {
  if (typeof value === 'string') return safeTexts.test(value) ? safe(value) : findInTemplate(value, shape, world, sink);
  if (isObject(value) && typeof value['jqQuery'] === 'string') {
    const found = findInExpression(value['jqQuery'], shape, world, sink);
    if (found?.suggestion === undefined) return found;
    return { ...found, suggestion: { ...found.suggestion, value: { ...value, jqQuery: found.suggestion.value } } };
  }
  if (!Array.isArray(value)) return undefined;
  const found = value.map((each) => findInValue(each, { shape }, world, sink));
  const hits = found.filter((each) => each !== undefined);
  if (hits.length === 0) return undefined;
  const verdict = worst(hits.map((hit) => hit.verdict));
  const suggestions = hits.flatMap(({ suggestion }) => suggestion ?? []);
  return {
    references: hits.flatMap(({ references }) => references),
    verdict,
    why: hits.find((hit) => hit.verdict === verdict)!.why,
    ...(suggestions.length === 0
      ? {}
      : {
          suggestion: {
            value: value.map((each, at) => (found[at]?.suggestion === undefined ? each : found[at].suggestion.value)),
            explanation: suggestions.map(({ explanation }) => explanation).join(' '),
          },
        }),
  };
}

function safe(value: string): Finding {
  return {
    references: [{ kind: 'user-teams', text: value }],
    verdict: 'mentions',
    why: "Asks for the caller's teams and goes on working.",
  };
}
