import type { Blueprint } from './blueprints.ts';
import { isRecord } from './json-value.ts';

/** Entities that tell how another one fares: what was shipped, and what broke. */
export type FactKind = 'deployment' | 'incident';

type Model = Pick<Blueprint, 'identifier' | 'title' | 'schema'>;

const kinds: readonly (readonly [FactKind, RegExp])[] = [
  ['deployment', /deploy|release/i],
  ['incident', /incident|alert/i],
];

/** What the entities of a blueprint tell about those they point to, by its name. */
export function factKind({ identifier, title }: Pick<Model, 'identifier' | 'title'>): FactKind | undefined {
  return kinds.find(([, name]) => name.test(identifier) || name.test(title ?? ''))?.[0];
}

interface NamedShape {
  readonly key: string;
  readonly title: string;
  readonly shape: Readonly<Record<string, unknown>>;
}

function listShapes({ schema }: Pick<Model, 'schema'>): NamedShape[] {
  return Object.entries(schema.properties).map(([key, shape]) => {
    const record: Readonly<Record<string, unknown>> = isRecord(shape) ? shape : {};
    const { title } = record;
    return { key, title: typeof title === 'string' ? title : '', shape: record };
  });
}

function isNamed({ key, title }: NamedShape, name: RegExp): boolean {
  return name.test(key) || name.test(title);
}

const began: Readonly<Record<FactKind, readonly RegExp[]>> = {
  deployment: [/deploy|releas|finish|complet/i, /start|creat/i, /./],
  incident: [/open|start|trigger|occur|detect|creat|fired/i],
};

/** The property with the moment that counts; the creation of the record where the blueprint has none. */
export function factMoment(kind: FactKind, blueprint: Pick<Model, 'schema'>): string {
  const moments = listShapes(blueprint).filter(({ shape }) => shape['format'] === 'date-time');
  for (const name of began[kind]) {
    const found = moments.find((each) => isNamed(each, name));
    if (found) return found.key;
  }
  return '$createdAt';
}

/** The property that says how it stands or went. */
export function factState(
  blueprint: Pick<Model, 'schema'>,
): { readonly key: string; readonly values: readonly string[] } | undefined {
  const states = listShapes(blueprint).filter((each) => isNamed(each, /status|state|outcome|result|conclusion/i));
  const found =
    states.find(({ shape }) => Array.isArray(shape['enum'])) ?? states.find(({ shape }) => shape['type'] === 'string');
  if (!found) return undefined;
  const values = found.shape['enum'];
  return { key: found.key, values: Array.isArray(values) ? values.map(String) : [] };
}

/** How something went: the words of states and of runs, as one of four. */
export type Outcome = 'success' | 'failure' | 'running' | 'waiting';

const outcomes: readonly (readonly [Outcome, RegExp])[] = [
  ['failure', /fail|error|broken|rolled.?back|revert|declin|reject|cancel|abort|^open$|firing|triggered/i],
  ['success', /success|succeed|complet|deployed|done|passed|resolved|closed|mitigated/i],
  ['running', /progress|running|pending|started|investigat|acknowledged/i],
  ['waiting', /wait|draft|approv/i],
];

export function readOutcome(state: unknown): Outcome | undefined {
  if (typeof state !== 'string') return undefined;
  return outcomes.find(([, words]) => words.test(state))?.[0];
}

/** Whether a state says that an incident is over. */
export function isClosedState(state: string): boolean {
  return /resolved|closed|done|cancel|dismissed|mitigated/i.test(state);
}
