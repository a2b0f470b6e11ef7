import type { UserInputs } from '@portolan/contract/action-inputs';
import { isRecord, toRecord } from '@portolan/contract/json-value';
import { checkForm, impossibleRoots, inputBlueprint, warnOfKeys } from '../../../actions/index.ts';
import { parseCron, shortestGap } from '../cron.ts';
import { limits } from '../limits.ts';
import type { WorkflowNode } from '../workflow.ts';
import { checkChildren } from './body-rules.ts';
import type { Fault, Placed, Warning } from './fault.ts';
import { fault, repeated } from './graph-rules.ts';
import { checkStep } from './step-rules.ts';

/** Faults of a node by itself. */
export function checkNode({ at, part }: Placed<WorkflowNode>): Fault[] {
  const { config } = part;
  const place = `${at}/config`;
  switch (config.type) {
    case 'SELF_SERVE_TRIGGER':
      return [...checkUserInputs(config['userInputs'], `${place}/userInputs`), ...checkContexts(config, place)];
    case 'EVENT_TRIGGER':
    case 'WAIT_FOR_EVENT':
      return checkEvent(toRecord(config['event']), `${place}/event`);
    case 'SCHEDULE_TRIGGER':
      return checkCron(config['cron'], `${place}/cron`);
    case 'CONDITION':
      return checkOutlets(config, place);
    case 'INPUT':
      return checkInput(config, place);
    case 'AI':
    case 'AI_AGENT':
      return checkModel(config, place);
    case 'DELAY': {
      const isOne = isSet(config['seconds']) !== isSet(config['until']);
      return isOne ? [] : [fault(place, 'delay_without_time', 'needs "seconds" or "until", and not both')];
    }
    case 'TRANSFORM': {
      const isOne = isSet(config['expression']) !== (config['value'] !== undefined);
      return isOne ? [] : [fault(place, 'transform_without_value', 'needs "expression" or "value", and not both')];
    }
    case 'MAP':
    case 'PARALLEL':
      return checkChildren({ at, part });
    default:
      return checkStep({ at, part: { config } });
  }
}

function isSet(value: unknown): boolean {
  return value !== undefined && value !== null;
}

interface Form extends UserInputs {
  readonly validations?: readonly unknown[] | null;
}

/** The form, if its shape can be read at all. */
export function readForm(value: unknown): Form | undefined {
  if (!isRecord(value) || !isRecord(value['properties'])) return undefined;
  const isReadable =
    Object.values(value['properties']).every(isInput) &&
    [value['order'], value['steps']].every((list) => list === undefined || list === null || Array.isArray(list)) &&
    (!Array.isArray(value['steps']) || value['steps'].every(isStep));
  return isReadable ? (value as unknown as Form) : undefined;
}

function isInput(input: unknown): boolean {
  return isRecord(input) && (!isSet(input['dependsOn']) || Array.isArray(input['dependsOn']));
}

function isStep(step: unknown): boolean {
  return isRecord(step) && (!isSet(step['order']) || Array.isArray(step['order']));
}

function checkUserInputs(value: unknown, place: string): Fault[] {
  const form = readForm(value);
  if (!form) return [];
  const hasOfSteps = (form.steps ?? []).some((step) => isSet((step as { validations?: unknown }).validations));
  return [
    ...checkForm(form, place).map(({ path, message }) => fault(path, 'form', message)),
    ...(isSet(form.validations) && hasOfSteps
      ? [fault(`${place}/validations`, 'form', 'stand beside those of the steps; write them in one of the two places')]
      : []),
  ];
}

/** An `ENTITY` context hands the entity over by an input of the form, each input once. */
function checkContexts(config: WorkflowNode['config'], place: string): Fault[] {
  const contexts = Array.isArray(config['contexts']) ? config['contexts'].map(toRecord) : [];
  const properties = readForm(config['userInputs'])?.properties ?? {};
  const placed = contexts.map((context, at) => ({
    at: `${place}/contexts/${at}/userInput`,
    name: context['userInput'],
  }));
  const handed = placed.filter((_, at) => contexts[at]?.['on'] === 'ENTITY');
  const unusable = handed.flatMap(({ at, name }) => {
    if (typeof name !== 'string') return [];
    const input = Object.hasOwn(properties, name) ? properties[name] : undefined;
    return input && inputBlueprint(input) !== undefined
      ? []
      : [fault(at, 'unusable_context', `"${name}" is no input of the form that takes an entity`)];
  });
  const twice = repeated(handed, ({ name }) => String(name)).map(({ at, name }) =>
    fault(at, 'unusable_context', `"${String(name)}" stands in two contexts`),
  );
  return [...unusable, ...twice];
}

function checkEvent(event: Readonly<Record<string, unknown>>, place: string): Fault[] {
  if (event['type'] !== 'TIMER_EXPIRED' || isSet(event['propertyIdentifier'])) return [];
  const message = 'is required with TIMER_EXPIRED: it names the timer';
  return [fault(`${place}/propertyIdentifier`, 'timer_without_property', message)];
}

function checkCron(value: unknown, place: string): Fault[] {
  if (typeof value !== 'string') return [];
  const cron = parseCron(value);
  if (typeof cron === 'string') return [fault(place, 'cron_invalid', cron)];
  const gap = shortestGap(value);
  if (gap >= limits.scheduleSeconds) return [];
  const message = `ticks every ${gap} seconds at times; a schedule waits at least ${limits.scheduleSeconds / 60} minutes`;
  return [fault(place, 'cron_too_often', message)];
}

function namesIn(list: unknown, place: string): { readonly at: string; readonly name: string }[] {
  if (!Array.isArray(list)) return [];
  return list.flatMap((each, index) => {
    const { identifier } = toRecord(each);
    return typeof identifier === 'string' ? [{ at: `${place}/${index}/identifier`, name: identifier }] : [];
  });
}

function checkOutlets(config: WorkflowNode['config'], place: string): Fault[] {
  const outlets = namesIn(config['outlets'], `${place}/outlets`);
  return repeated(outlets, ({ name }) => name).map(({ at, name }) =>
    fault(at, 'duplicate_outlet', `"${name}" is the name of another outlet too`),
  );
}

function checkInput(config: WorkflowNode['config'], place: string): Fault[] {
  const form = toRecord(config['userInputs']);
  const buttons = namesIn(form['buttons'], `${place}/userInputs/buttons`);
  const known = new Set(buttons.map(({ name }) => name));
  const outlets = namesIn(config['outlets'], `${place}/outlets`);
  const expired = toRecord(config['onExpire'])['outletIdentifier'];
  return [
    ...checkUserInputs({ properties: {}, ...form }, `${place}/userInputs`),
    ...repeated(buttons, ({ name }) => name).map(({ at, name }) =>
      fault(at, 'duplicate_button', `"${name}" is the name of another button too`),
    ),
    ...checkOutlets(config, place),
    ...outlets
      .filter(({ name }) => !known.has(name))
      .map(({ at, name }) => fault(at, 'outlet_without_button', `"${name}" is no button of this form`)),
    ...(typeof expired === 'string' && !outlets.some(({ name }) => name === expired)
      ? [fault(`${place}/onExpire/outletIdentifier`, 'unknown_outlet', `"${expired}" is no outlet of this node`)]
      : []),
  ];
}

function checkModel(config: WorkflowNode['config'], place: string): Fault[] {
  const has = (key: string) => isSet(config[key]) && config[key] !== '';
  if (has('provider') === has('model')) return [];
  const missing = has('provider') ? 'model' : 'provider';
  return [fault(`${place}/${missing}`, 'model_without_provider', 'is needed: "provider" and "model" go together')];
}

/** What a node can never come to, though it may be saved. */
export function warnOfNode({ at, part: { config } }: Placed<WorkflowNode>): Warning[] {
  const place = `${at}/config`;
  const form = readForm(config['userInputs']);
  const keys = form ? warnOfKeys(form, `${place}/userInputs`) : [];
  const unusable = keys.map((message): Warning => ({ path: `${place}/userInputs`, code: 'unusable_key', message }));
  if (config.type === 'INPUT') return [...unusable, ...warnOfButtons(config, place)];
  if (config.type === 'EVENT_TRIGGER') return warnOfCondition(config, place);
  if (config.type === 'CURSOR_AGENT') {
    const message = 'is kept and not supported here: a run fails at it; use AI_AGENT or WEBHOOK';
    return [{ path: `${place}/type`, code: 'not_supported', message }];
  }
  return unusable;
}

function warnOfButtons(config: WorkflowNode['config'], place: string): Warning[] {
  const outlets = new Set(namesIn(config['outlets'], '').map(({ name }) => name));
  if (outlets.size === 0) {
    const message = 'has no outlets, so a run that comes here waits until it expires';
    return [{ path: place, code: 'nobody_can_go_on', message }];
  }
  return namesIn(toRecord(config['userInputs'])['buttons'], `${place}/userInputs/buttons`)
    .filter(({ name }) => !outlets.has(name))
    .map(({ at, name }) => ({
      path: at,
      code: 'button_without_outlet',
      message: `"${name}" has no outlet, so pressing it leads nowhere`,
    }));
}

function warnOfCondition(config: WorkflowNode['config'], place: string): Warning[] {
  const { expressions } = toRecord(config['condition']);
  if (!Array.isArray(expressions)) return [];
  return expressions.flatMap((expression, at) =>
    typeof expression === 'string'
      ? impossibleRoots(expression).map(
          ({ message }): Warning => ({
            path: `${place}/condition/expressions/${at}`,
            code: 'unmet_condition',
            message: `never holds: it ${message}`,
          }),
        )
      : [],
  );
}
