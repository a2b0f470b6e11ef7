import { type ActionInput, type Issue, jqQuery, type UserInputs } from '@portolan/contract';
import type { Actor } from '../../../platform/actor.ts';
import { mask } from '../../../platform/secrets/secret-scope.ts';
import type { SelfServiceAction } from '../action.ts';
import type { ActionsDeps } from '../actions.deps.ts';
import { encryptedInputs, isSealed } from './encrypt-inputs.ts';
import { checkEntityInputs } from './entity-inputs.ts';
import { entityBlueprintOf, type FormContext, identifiersOf, read, type Values } from './form.ts';
import { entityContext, userContext } from './form-context.ts';

/** What a form came to: the values with their defaults, and everything that is wrong with them. */
export interface ResolvedInputs {
  readonly values: Values;
  readonly issues: readonly Issue[];
  /** Required inputs that were left to a person. */
  readonly open: readonly string[];
  /** What its expressions saw in the end. */
  readonly context: FormContext;
}

/**
 * Evaluates a form as the portal does while it is filled, and checks what was submitted: defaults, visibility, what is
 * required, choices, patterns, and that entities are there, may be read and fit the dataset (catalog semantics §4.2 to
 * §4.4). What is hidden keeps its default and is not required.
 */
export async function resolveInputs(
  deps: ActionsDeps,
  actor: Actor,
  { definition }: SelfServiceAction,
  submitted: Values,
  entity: Values | undefined,
  isFilledByModel = false,
): Promise<ResolvedInputs> {
  const { userInputs: form } = definition.trigger;
  const user = await userContext(deps, actor);
  const now = deps.clock.now();
  const secret = new Set(isFilledByModel ? encryptedInputs(form) : []);
  const told = Object.keys(submitted)
    .filter((key) => secret.has(key))
    .map(
      (key): Issue => ({ path: `/properties/${key}`, message: 'is encrypted and filled by a person; leave it out' }),
    );
  const inputs = Object.keys(form.properties);
  // an action without a form takes what it is sent, and hands it to the executor as it is (decision 0076)
  const unknown = Object.keys(isFilledByModel || inputs.length > 0 ? submitted : {})
    .filter((key) => !Object.hasOwn(form.properties, key))
    .map((key): Issue => ({ path: `/properties/${key}`, message: `is no input of the action${listed(inputs)}` }));
  const expand = await entityExpander(deps, actor, form);
  const values = await withDefaults(
    form,
    submitted,
    async (given) => ({ form: await expand(given), entity, user }),
    now,
  );
  const context: FormContext = { form: await expand(values), entity, user };
  const isShown = visibility(form, context, now);
  const required = requiredOf(form, context, now).filter((key) => isShown(key) && isUnset(values[key]));
  return {
    values,
    open: required.filter((key) => secret.has(key)),
    context,
    issues: [
      ...unknown,
      ...told,
      ...required
        .filter((key) => !secret.has(key))
        .map((key) => ({ path: `/properties/${key}`, message: 'is required' })),
      ...checkShapes(deps, form, context, values, now),
      ...(await checkEntityInputs(deps, actor, form, context, values, now)),
    ],
  };
}

function listed(inputs: readonly string[]): string {
  const shown = inputs.slice(0, 20).join(', ');
  return inputs.length === 0 ? '' : `; it takes ${shown}${inputs.length > 20 ? ' …' : ''}`;
}

/** Defaults come in the order of the form, each seeing those before it. */
async function withDefaults(
  { properties }: UserInputs,
  submitted: Values,
  contextOf: (values: Values) => Promise<FormContext>,
  now: Date,
): Promise<Values> {
  let values: Values = submitted;
  for (const [key, input] of Object.entries(properties)) {
    const preset = input['default'];
    if (values[key] !== undefined || preset === undefined || preset === null) continue;
    const query = jqQuery.safeParse(preset);
    const value = query.success ? read(query.data.jqQuery, await contextOf(values), now) : preset;
    if (value !== undefined && value !== null) values = { ...values, [key]: value };
  }
  return values;
}

/** Untouched texts are empty, not null, to the expressions of a form; entities are objects. */
async function entityExpander(deps: ActionsDeps, actor: Actor, { properties }: UserInputs) {
  const known = new Map<string, Values | undefined>();
  const expandOne = async (blueprint: string, value: unknown): Promise<unknown> => {
    if (typeof value !== 'string') return value;
    const id = `${blueprint}\0${value}`;
    // what the caller may not read stays a name: nothing of it may come out as a default or a choice
    if (!known.has(id)) known.set(id, await entityContext(deps, actor, blueprint, value));
    return known.get(id) ?? { identifier: value };
  };
  return async (values: Values): Promise<Values> => {
    const expanded: Record<string, unknown> = {};
    for (const [key, input] of Object.entries(properties)) {
      const value = values[key] ?? (input.type === 'string' && !isEntityInput(input) ? '' : null);
      const blueprint = entityBlueprintOf(input);
      // a default that reads a secret would keep it in the clear beside the sealed one
      if (input.encryption && !isUnset(value)) expanded[key] = mask;
      else if (blueprint === undefined || value === null) expanded[key] = value;
      else if (Array.isArray(value)) {
        expanded[key] = await Promise.all(value.map((each) => expandOne(blueprint, each)));
      } else expanded[key] = await expandOne(blueprint, value);
    }
    return expanded;
  };
}

function isEntityInput(input: ActionInput): boolean {
  return entityBlueprintOf(input) !== undefined;
}

/** Whether an input shows: by itself, and by the step it stands in. An expression that fails shows it. */
export function visibility(
  { properties, steps }: UserInputs,
  context: FormContext,
  now: Date,
): (key: string) => boolean {
  const holds = (value: unknown): boolean => {
    const query = jqQuery.safeParse(value);
    if (!query.success) return value !== false;
    return read(query.data.jqQuery, context, now) !== false;
  };
  return (key) => {
    const step = steps?.find(({ order }) => order?.includes(key));
    return holds(properties[key]?.visible) && holds(step?.visible);
  };
}

export function requiredOf({ properties, required }: UserInputs, context: FormContext, now: Date): string[] {
  const query = jqQuery.safeParse(required);
  const names = query.success ? read(query.data.jqQuery, context, now) : required;
  if (!Array.isArray(names)) return [];
  return names.filter((name): name is string => typeof name === 'string' && Object.hasOwn(properties, name));
}

export const resolvable = ['enum', 'pattern', 'minItems', 'maxItems'] as const;

/** Types, formats, choices, patterns and lengths, with what is an expression evaluated first. */
function checkShapes(
  { checkValues }: ActionsDeps,
  { properties }: UserInputs,
  context: FormContext,
  values: Values,
  now: Date,
): Issue[] {
  const definitions: Record<string, ActionInput> = {};
  const given: Record<string, unknown> = {};
  for (const [key, input] of Object.entries(properties)) {
    const value = values[key];
    // what only the holder of a key can read has no shape here
    if (isUnset(value) || isSealed(input, value)) continue;
    const definition: Record<string, unknown> = { ...input };
    for (const member of resolvable) {
      definition[member] = limitOf(input, member, context, now);
    }
    definitions[key] = withoutNulls(definition) as ActionInput;
    given[key] = entityBlueprintOf(input) === undefined ? value : identifiersOf(value);
  }
  return checkValues(definitions as never, given);
}

/** A limit of an input. A choice that cannot be worked out offers nothing; other limits that fail do not limit. */
export function limitOf(
  input: ActionInput,
  member: (typeof resolvable)[number],
  context: FormContext,
  now: Date,
): unknown {
  const query = jqQuery.safeParse(input[member]);
  if (!query.success) return input[member] ?? undefined;
  return read(query.data.jqQuery, context, now) ?? (member === 'enum' ? [] : undefined);
}

function withoutNulls(definition: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(definition).filter(([, value]) => value !== null && value !== undefined));
}

function isUnset(value: unknown): boolean {
  return value === undefined || value === null || value === '';
}
