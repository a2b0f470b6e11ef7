import type { ActionInput, UserInputs } from '@portolan/contract/action-inputs';
import { isRecord } from '@portolan/contract/json-value';
import type { JsonSchema } from '../../../platform/tools/registry.ts';
import { safeToolName } from '../../../platform/tools/tool-source.ts';
import { actionBlueprint, type SelfServiceAction } from '../action.ts';
import { inputBlueprint, type Values } from '../inputs/form.ts';

export interface ActionForm {
  readonly schema: JsonSchema;
  /** Argument names by input key, because models accept fewer characters. */
  readonly keyOf: ReadonlyMap<string, string>;
  /** Arguments that name the entity; empty for CREATE. */
  readonly entityNames: readonly string[];
}

const schemaBytesMax = 16 * 1024;
const choicesMax = 100;
/** Formats of JSON Schema; others are described in words. */
const knownFormats = new Set(['date-time', 'email', 'ipv4', 'ipv6']);
const bounds = ['minLength', 'maxLength', 'minimum', 'maximum', 'minItems', 'maxItems'] as const;

/**
 * The tool arguments of a form. Encrypted inputs are left out, because no secret may pass through a model, and so are
 * inputs that are never visible. Dependencies on other inputs are described in words; the call checks the form itself.
 */
export function actionForm(action: SelfServiceAction): ActionForm {
  const { userInputs, operation } = action.definition.trigger;
  return toolForm(userInputs, operation === 'CREATE' ? undefined : actionBlueprint(action.definition));
}

/** The same for any form; with a blueprint, for one that is about an entity of it. */
export function toolForm(userInputs: UserInputs, target?: string | undefined): ActionForm {
  const shown = shownInputs(userInputs);
  const keyOf = new Map(shown.map(([key]) => [safeToolName(key), key]));
  const entityNames = target === undefined ? [] : ['entity', 'entityIdentifier'].filter((name) => !keyOf.has(name));
  // needed in case the action's own inputs use both names
  if (target !== undefined && entityNames.length === 0) entityNames.push(safeToolName('entity to act on'));
  const form = (isBrief: boolean): JsonSchema => {
    const [entityName] = entityNames;
    const properties = {
      ...(entityName === undefined || target === undefined
        ? {}
        : { [entityName]: { type: 'string', description: `Identifier of the ${word(target)} to act on` } }),
      ...Object.fromEntries(
        shown.map(([key, input]) => [safeToolName(key), isBrief ? { type: input.type } : toInputSchema(input)]),
      ),
    };
    const required = [
      ...(entityName === undefined ? [] : [entityName]),
      ...requiredKeys(userInputs, shown).map((key) => safeToolName(key)),
    ];
    return { type: 'object', properties, ...(required.length > 0 ? { required } : {}), additionalProperties: false };
  };
  const fits = (schema: JsonSchema): boolean => Buffer.byteLength(JSON.stringify(schema)) <= schemaBytesMax;
  const schema = [form(false), form(true)].find(fits) ?? { type: 'object', additionalProperties: true };
  return { schema, keyOf, entityNames };
}

/** Converts arguments to inputs of the run; unknown names stay, and the run refuses them. */
export function readArguments({ keyOf, entityNames }: ActionForm, given: Values) {
  const properties: Record<string, unknown> = {};
  let entity: unknown;
  for (const [name, value] of Object.entries(given)) {
    if (entityNames.includes(name)) entity = value;
    else if (value !== null) properties[keyOf.get(name) ?? name] = value;
  }
  return { properties, entity };
}

function shownInputs({ properties, order, steps }: UserInputs): [string, ActionInput][] {
  const placed = [...(order ?? []), ...(steps ?? []).flatMap((step) => step.order ?? [])];
  const keys = new Set([...placed, ...Object.keys(properties)]);
  return [...keys].flatMap((key): [string, ActionInput][] => {
    const input = Object.hasOwn(properties, key) ? properties[key] : undefined;
    const isShown = input && !input.encryption && input.visible !== false && input.disabled !== true;
    return isShown ? [[key, input]] : [];
  });
}

/** Inputs that are always required and have no default. */
function requiredKeys({ required }: UserInputs, shown: readonly [string, ActionInput][]): string[] {
  if (!Array.isArray(required)) return [];
  const always = shown.filter(([, input]) => isUnset(input['default']) && typeof input.visible !== 'object');
  return always.map(([key]) => key).filter((key) => required.includes(key));
}

function toInputSchema(input: ActionInput): Record<string, unknown> {
  const list = choices(input.enum);
  const preset = input['default'];
  const isPlain = !isUnset(preset) && !isExpression(preset) && JSON.stringify(preset).length <= 500;
  return {
    type: input.type,
    ...(input.type === 'array' ? { items: toItemsSchema(input.items ?? {}) } : {}),
    ...(list ? { enum: list } : {}),
    ...(input.format && knownFormats.has(input.format) ? { format: input.format } : {}),
    ...Object.fromEntries(bounds.flatMap((name) => (typeof input[name] === 'number' ? [[name, input[name]]] : []))),
    ...(isPlain ? { default: preset } : {}),
    ...described(noteOn(input)),
  };
}

function toItemsSchema(items: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const { type, enum: listed } = items;
  const list = choices(listed);
  return { ...(typeof type === 'string' ? { type } : { type: 'string' }), ...(list ? { enum: list } : {}) };
}

function choices(listed: unknown): unknown[] | undefined {
  return Array.isArray(listed) && listed.length > 0 && listed.length <= choicesMax ? listed : undefined;
}

/** One line about constraints that the schema cannot express. */
function noteOn(input: ActionInput): string {
  const entities = inputBlueprint(input);
  const format = input.format && !knownFormats.has(input.format) && entities === undefined ? input.format : undefined;
  const depends =
    isExpression(input.enum) ||
    isExpression(input['default']) ||
    (Array.isArray(input.enum) && input.enum.length > choicesMax);
  return [
    line(input.title, 100),
    line(input.description, 300),
    entities === undefined ? '' : `${input.type === 'array' ? 'Identifiers' : 'Identifier'} of ${word(entities)}.`,
    format ? `Format: ${word(format)}.` : '',
    typeof input.pattern === 'string' ? `Matches ${line(input.pattern, 200)}` : '',
    depends ? 'Choices or default depend on the other inputs.' : '',
  ]
    .filter((part) => part !== '')
    .join(' ');
}

function described(text: string): { description?: string } {
  return text === '' ? {} : { description: text };
}

function isExpression(value: unknown): boolean {
  return isRecord(value) && 'jqQuery' in value;
}

function isUnset(value: unknown): boolean {
  return value === undefined || value === null;
}

/** Shortens people's text to one line, so that it cannot pose as anything but a description. */
export function line(text: string | null | undefined, charactersMax: number): string {
  const plain = (text ?? '').replace(/[\s\p{C}]+/gu, ' ').trim();
  return plain.length <= charactersMax ? plain : `${plain.slice(0, charactersMax - 1)}…`;
}

function word(name: string): string {
  return line(name, 100);
}
