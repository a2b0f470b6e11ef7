import type { AutomationEventType, AutomationTrigger } from '@portolan/contract/actions';
import { isRecord } from '@portolan/contract/json-value';
import { linkOptions } from '@tanstack/react-router';
import { type Issue, pathSegments } from '../../kit/refusal.ts';
import { backendProblem, missingInBackend, readObject, type WrittenAction } from '../../parts/actions/stored-action.ts';

export type Draft = WrittenAction<AutomationTrigger>;
export type Event = AutomationTrigger['event'];

export const emptyDraft: Draft = {
  identifier: '',
  title: '',
  publish: true,
  trigger: { type: 'automation', event: { type: 'ENTITY_CREATED', blueprintIdentifier: '' } },
  invocationMethod: { type: 'WEBHOOK', url: '', method: 'POST', body: { event: '{{ .event }}' } },
};

export function automationAddress(identifier: string) {
  return linkOptions({ to: '/builder/automations/$automation', params: { automation: identifier } });
}

const eventTypes: Readonly<Record<AutomationEventType, string>> = {
  ENTITY_CREATED: 'An entity is created',
  ENTITY_UPDATED: 'An entity is changed',
  ENTITY_DELETED: 'An entity is deleted',
  ANY_ENTITY_CHANGE: 'An entity is created, changed or deleted',
  TIMER_PROPERTY_EXPIRED: 'A timer of an entity expires',
  RUN_CREATED: 'A run begins',
  RUN_UPDATED: 'A run changes',
  ANY_RUN_CHANGE: 'A run begins or changes',
};
export const eventChoices = Object.entries(eventTypes).map(([value, label]) => ({ value, label }));

/** Parses a text as a draft, or says why it is not one. The server validates the contents. */
export function readDraft(text: string): { readonly draft: Draft } | { readonly problem: string } {
  const read = readObject(text, 'An automation');
  if ('problem' in read) return read;
  const { value } = read;
  if (typeof value['identifier'] !== 'string') return { problem: '"identifier" must be a text' };
  const { trigger, invocationMethod } = value;
  if (!isRecord(trigger) || trigger['type'] !== 'automation') {
    return { problem: '"trigger" must be { "type": "automation", "event": { … } }' };
  }
  if (!isRecord(trigger['event']) || !Object.hasOwn(eventTypes, String(trigger['event']['type']))) {
    return { problem: `"trigger.event.type" must be one of ${Object.keys(eventTypes).join(', ')}` };
  }
  const { condition } = trigger;
  if (condition !== undefined && condition !== null) {
    const expressions = isRecord(condition) ? condition['expressions'] : undefined;
    if (!Array.isArray(expressions) || !expressions.every((each) => typeof each === 'string')) {
      return { problem: '"trigger.condition.expressions" must be a list of texts' };
    }
  }
  const problem = backendProblem(invocationMethod);
  if (problem !== undefined) return { problem };
  return { draft: value as unknown as Draft };
}

/** Changes the type of event; keeps the fields that still apply. */
export function withEventType(event: Event, type: AutomationEventType): Event {
  const {
    blueprintIdentifier = '',
    propertyIdentifier = '',
    actionIdentifier = '',
  } = event as Partial<Record<'blueprintIdentifier' | 'propertyIdentifier' | 'actionIdentifier', string>>;
  if (type === 'TIMER_PROPERTY_EXPIRED') return { type, blueprintIdentifier, propertyIdentifier };
  if (type === 'RUN_CREATED' || type === 'RUN_UPDATED' || type === 'ANY_RUN_CHANGE') return { type, actionIdentifier };
  return { type, blueprintIdentifier };
}

/** The trigger in words. */
export function triggerWords(trigger: unknown): string {
  const event = (isRecord(trigger) && isRecord(trigger['event']) ? trigger['event'] : {}) as Readonly<
    Record<string, string>
  >;
  const { type = '', blueprintIdentifier, propertyIdentifier, actionIdentifier } = event;
  const what = actionIdentifier ?? blueprintIdentifier ?? '';
  const words: Readonly<Record<string, string>> = {
    ENTITY_CREATED: `When an entity of ${what} is created`,
    ENTITY_UPDATED: `When an entity of ${what} is changed`,
    ENTITY_DELETED: `When an entity of ${what} is deleted`,
    ANY_ENTITY_CHANGE: `When an entity of ${what} is created, changed or deleted`,
    TIMER_PROPERTY_EXPIRED: `When ${propertyIdentifier} of an entity of ${what} expires`,
    RUN_CREATED: `When a run of ${what} begins`,
    RUN_UPDATED: `When a run of ${what} changes`,
    ANY_RUN_CHANGE: `When a run of ${what} begins or changes`,
  };
  const condition = isRecord(trigger) && isRecord(trigger['condition']) ? trigger['condition'] : {};
  const { expressions } = condition;
  const isConditional = Array.isArray(expressions) && expressions.length > 0;
  return `${words[type] ?? type}${isConditional ? ', under a condition' : ''}`;
}

/**
 * Whether its own write can trigger it again: it writes the blueprint it listens to, and no condition compares before
 * and after.
 */
export function mayTriggerItself({ trigger, invocationMethod }: Draft): boolean {
  const { event, condition } = trigger;
  if (!('blueprintIdentifier' in event) || invocationMethod.type !== 'UPSERT_ENTITY') return false;
  if (!['ENTITY_UPDATED', 'ANY_ENTITY_CHANGE', 'ENTITY_CREATED'].includes(event.type)) return false;
  const comparesStates = (condition?.expressions ?? []).some((each) => /\.before/.test(each) && /\.after/.test(each));
  return invocationMethod['blueprintIdentifier'] === event.blueprintIdentifier && !comparesStates;
}

/** The first missing part that prevents saving, worded like a server issue. */
export function missingIn({ identifier, trigger, invocationMethod }: Draft): string | undefined {
  if (identifier.trim() === '') return 'Enter an identifier.';
  const { event } = trigger;
  if ('actionIdentifier' in event) {
    if (event.actionIdentifier === '') return 'Choose the action whose runs it waits for.';
  } else if (event.blueprintIdentifier === '') return 'Choose the blueprint whose entities it waits for.';
  if ('propertyIdentifier' in event && event.propertyIdentifier === '') return 'Choose the timer.';
  return missingInBackend(invocationMethod);
}

export type Section = 'general' | 'when' | 'if' | 'then';

/** The section that contains the place of an issue. */
export function issueSection({ path }: Issue): Section {
  const [first, second] = pathSegments(path);
  if (first === 'invocationMethod') return 'then';
  if (first === 'trigger') return second === 'condition' ? 'if' : 'when';
  return 'general';
}
