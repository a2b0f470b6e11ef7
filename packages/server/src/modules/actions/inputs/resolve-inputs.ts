import { type ActionInput, jqQuery, type UserInputs } from '@portolan/contract/action-inputs';
import type { Issue } from '@portolan/contract/errors';
import type { Actor } from '../../../platform/actor.ts';
import { type EvaluationTime, shareTime } from '../../../platform/evaluation-time.ts';
import { mask } from '../../../platform/secrets/secret-scope.ts';
import type { TextAuthor } from '../../../platform/text-authors.ts';
import { actionBlueprint, type SelfServiceAction } from '../action.ts';
import type { ActionsDeps } from '../actions.deps.ts';
import { createFormTexts, listComputedAuthors, usesMember } from './computed-authors.ts';
import { encryptedInputs, isSealed } from './encrypt-inputs.ts';
import { checkEntityInputs } from './entity-inputs.ts';
import { type FormContext, inputBlueprint, read, toIdentifiers, type Values } from './form.ts';
import { entityContext, userContext } from './form-context.ts';

/** For all expressions of one form. */
const togetherMs = 1_000;

/** The values of a form with defaults, and all issues. */
export interface ResolvedInputs {
  readonly values: Values;
  readonly issues: readonly Issue[];
  /** Required inputs that a person has to fill. */
  readonly open: readonly string[];
  /** Of the values, beside whoever sends them. */
  readonly authors: readonly TextAuthor[];
  readonly context: FormContext;
  /** For what else is evaluated of the form. */
  readonly time: EvaluationTime;
}

/** What evaluating a form needs. */
export type FormDeps = Pick<ActionsDeps, 'catalog' | 'database' | 'clock' | 'checkValues'>;

/** The inputs of a run of an action. */
export function resolveInputs(
  deps: FormDeps,
  actor: Actor,
  { definition }: SelfServiceAction,
  submitted: Values,
  identifier: string | null,
  isFilledByModel = false,
): Promise<ResolvedInputs> {
  const blueprint = actionBlueprint(definition);
  const entity = identifier !== null && blueprint ? { blueprint, identifier } : undefined;
  return resolveForm(deps, actor, definition.trigger.userInputs, submitted, { entity, isFilledByModel });
}

interface FormOptions {
  /** The entity that the form is about. */
  readonly entity?: { readonly blueprint: string; readonly identifier: string } | undefined;
  readonly isFilledByModel?: boolean;
}

/**
 * Evaluates a form as the portal does, and checks the submitted values: defaults, visibility, required inputs, choices,
 * patterns, and that entities exist, are readable and match the dataset (catalog semantics §4.2 to §4.4). Hidden inputs
 * keep their default and are not required.
 */
export async function resolveForm(
  deps: FormDeps,
  actor: Actor,
  form: UserInputs,
  submitted: Values,
  { entity: about, isFilledByModel = false }: FormOptions = {},
): Promise<ResolvedInputs> {
  const texts = createFormTexts(actor);
  // authors that nobody asks for are not looked up
  const reading = (member: keyof FormContext): Actor =>
    actor.textsRead || usesMember(form, member) ? { ...actor, textsRead: texts[member] } : actor;
  const user = await userContext(deps, reading('user'));
  const entity = about && (await entityContext(deps, reading('entity'), about.blueprint, about.identifier));
  const time = shareTime(deps.clock.now(), togetherMs);
  const secret = new Set(isFilledByModel ? encryptedInputs(form) : []);
  const told = Object.keys(submitted)
    .filter((key) => secret.has(key))
    .map(
      (key): Issue => ({ path: `/properties/${key}`, message: 'is encrypted and filled by a person; leave it out' }),
    );
  const inputs = Object.keys(form.properties);
  // an action without a form passes any input on to the executor (decision 0076)
  const unknown = Object.keys(isFilledByModel || inputs.length > 0 ? submitted : {})
    .filter((key) => !Object.hasOwn(form.properties, key))
    .map((key): Issue => ({ path: `/properties/${key}`, message: `is no input of the form${listed(inputs)}` }));
  const expand = await entityExpander(deps, reading('form'), form);
  const values = await withDefaults(
    form,
    submitted,
    async (given) => ({ form: await expand(given), entity, user }),
    time,
  );
  const context: FormContext = { form: await expand(values), entity, user };
  const isShown = visibility(form, context, time);
  const required = resolveRequired(form, context, time).filter((key) => isShown(key) && isUnset(values[key]));
  return {
    values,
    authors: listComputedAuthors(form, values, texts),
    open: required.filter((key) => secret.has(key)),
    context,
    time,
    issues: [
      ...unknown,
      ...told,
      ...required
        .filter((key) => !secret.has(key))
        .map((key) => ({ path: `/properties/${key}`, message: 'is required' })),
      ...checkShapes(deps, form, context, values, time),
      ...(await checkEntityInputs(deps, actor, form, context, values, time)),
    ],
  };
}

function listed(inputs: readonly string[]): string {
  const shown = inputs.slice(0, 20).join(', ');
  return inputs.length === 0 ? '' : `; it takes ${shown}${inputs.length > 20 ? ' …' : ''}`;
}

/** Applies defaults in the order of the form; each sees those before it. */
async function withDefaults(
  { properties }: UserInputs,
  submitted: Values,
  contextOf: (values: Values) => Promise<FormContext>,
  time: EvaluationTime,
): Promise<Values> {
  let values: Values = submitted;
  for (const [key, input] of Object.entries(properties)) {
    const preset = input['default'];
    if (values[key] !== undefined || preset === undefined || preset === null) continue;
    const query = jqQuery.safeParse(preset);
    const value = query.success ? read(query.data.jqQuery, await contextOf(values), time) : preset;
    if (value !== undefined && value !== null) values = { ...values, [key]: value };
  }
  return values;
}

/** In expressions, untouched texts are empty instead of null, and entity inputs are whole entities. */
async function entityExpander(deps: FormDeps, actor: Actor, { properties }: UserInputs) {
  const known = new Map<string, Values | undefined>();
  const expandOne = async (blueprint: string, value: unknown): Promise<unknown> => {
    if (typeof value !== 'string') return value;
    const id = `${blueprint}\0${value}`;
    // an unreadable entity stays a name, so that its values cannot leak into defaults or choices
    if (!known.has(id)) known.set(id, await entityContext(deps, actor, blueprint, value));
    return known.get(id) ?? { identifier: value };
  };
  return async (values: Values): Promise<Values> => {
    const expanded: Record<string, unknown> = {};
    for (const [key, input] of Object.entries(properties)) {
      const value = values[key] ?? (input.type === 'string' && !isEntityInput(input) ? '' : null);
      const blueprint = inputBlueprint(input);
      // a default computed from a secret would store it as plain text
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
  return inputBlueprint(input) !== undefined;
}

/** Whether an input is visible, by itself and through its step. A failed expression means visible. */
export function visibility(
  { properties, steps }: UserInputs,
  context: FormContext,
  time: EvaluationTime,
): (key: string) => boolean {
  const holds = (value: unknown): boolean => {
    const query = jqQuery.safeParse(value);
    if (!query.success) return value !== false;
    return read(query.data.jqQuery, context, time) !== false;
  };
  return (key) => {
    const step = steps?.find(({ order }) => order?.includes(key));
    return holds(properties[key]?.visible) && holds(step?.visible);
  };
}

export function resolveRequired(
  { properties, required }: UserInputs,
  context: FormContext,
  time: EvaluationTime,
): string[] {
  const query = jqQuery.safeParse(required);
  const names = query.success ? read(query.data.jqQuery, context, time) : required;
  if (!Array.isArray(names)) return [];
  return names.filter((name): name is string => typeof name === 'string' && Object.hasOwn(properties, name));
}

export const resolvable = ['enum', 'pattern', 'minItems', 'maxItems'] as const;

function checkShapes(
  { checkValues }: FormDeps,
  { properties }: UserInputs,
  context: FormContext,
  values: Values,
  time: EvaluationTime,
): Issue[] {
  const definitions: Record<string, ActionInput> = {};
  const given: Record<string, unknown> = {};
  for (const [key, input] of Object.entries(properties)) {
    const value = values[key];
    // sealed values cannot be checked
    if (isUnset(value) || isSealed(input, value)) continue;
    const definition: Record<string, unknown> = { ...input };
    for (const member of resolvable) {
      definition[member] = resolveLimit(input, member, context, time);
    }
    definitions[key] = withoutNulls(definition) as ActionInput;
    given[key] = inputBlueprint(input) === undefined ? value : toIdentifiers(value);
  }
  return checkValues(definitions as never, given);
}

/** A limit of an input. If its expression fails, a choice offers nothing, and other limits do not apply. */
export function resolveLimit(
  input: ActionInput,
  member: (typeof resolvable)[number],
  context: FormContext,
  time: EvaluationTime,
): unknown {
  const query = jqQuery.safeParse(input[member]);
  if (!query.success) return input[member] ?? undefined;
  return read(query.data.jqQuery, context, time) ?? (member === 'enum' ? [] : undefined);
}

function withoutNulls(definition: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(definition).filter(([, value]) => value !== null && value !== undefined));
}

function isUnset(value: unknown): boolean {
  return value === undefined || value === null || value === '';
}
