import type { AutomationEventType, AutomationTrigger } from '@portolan/contract/actions';
import { isRecord } from '@portolan/contract/json-value';
import { linkOptions } from '@tanstack/react-router';
import { type Issue, pathSegments } from '../../kit/refusal.ts';
import { t } from '../../kit/translate.ts';
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
  ENTITY_CREATED: t('An entity is created'),
  ENTITY_UPDATED: t('An entity is changed'),
  ENTITY_DELETED: t('An entity is deleted'),
  ANY_ENTITY_CHANGE: t('An entity is created, changed or deleted'),
  TIMER_PROPERTY_EXPIRED: t('A timer of an entity expires'),
  RUN_CREATED: t('A run begins'),
  RUN_UPDATED: t('A run changes'),
  ANY_RUN_CHANGE: t('A run begins or changes'),
};
export const eventChoices = Object.entries(eventTypes).map(([value, label]) => ({ value, label }));

/** Parses a text as a draft, or says why it is not one. The server validates the contents. */
export function readDraft(text: string): { readonly draft: Draft } | { readonly problem: string } {
  const read = readObject(text, t('An automation'));
  if ('problem' in read) return read;
  const { value } = read;
  if (typeof value['identifier'] !== 'string') return { problem: t('"identifier" must be a text') };
  const { trigger, invocationMethod } = value;
  if (!isRecord(trigger) || trigger['type'] !== 'automation') {
    return { problem: '"trigger" must be { "type": "automation", "event": { … } }' };
  }
  if (!isRecord(trigger['event']) || !Object.hasOwn(eventTypes, String(trigger['event']['type']))) {
    return { problem: t('"trigger.event.type" must be one of {keys}', { keys: Object.keys(eventTypes).join(', ') }) };
  }
  const { condition } = trigger;
  if (condition !== undefined && condition !== null) {
    const expressions = isRecord(condition) ? condition['expressions'] : undefined;
    if (!Array.isArray(expressions) || !expressions.every((each) => typeof each === 'string')) {
      return { problem: t('"trigger.condition.expressions" must be a list of texts') };
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
    ENTITY_CREATED: t('When an entity of {what} is created', { what }),
    ENTITY_UPDATED: t('When an entity of {what} is changed', { what }),
    ENTITY_DELETED: t('When an entity of {what} is deleted', { what }),
    ANY_ENTITY_CHANGE: t('When an entity of {what} is created, changed or deleted', { what }),
    TIMER_PROPERTY_EXPIRED: t('When {propertyIdentifier} of an entity of {what} expires', { propertyIdentifier, what }),
    RUN_CREATED: t('When a run of {what} begins', { what }),
    RUN_UPDATED: t('When a run of {what} changes', { what }),
    ANY_RUN_CHANGE: t('When a run of {what} begins or changes', { what }),
  };
  const condition = isRecord(trigger) && isRecord(trigger['condition']) ? trigger['condition'] : {};
  const { expressions } = condition;
  const isConditional = Array.isArray(expressions) && expressions.length > 0;
  return `${words[type] ?? type}${isConditional ? t(', under a condition') : ''}`;
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
  if (identifier.trim() === '') return t('Enter an identifier.');
  const { event } = trigger;
  if ('actionIdentifier' in event) {
    if (event.actionIdentifier === '') return t('Choose the action whose runs it waits for.');
  } else if (event.blueprintIdentifier === '') return t('Choose the blueprint whose entities it waits for.');
  if ('propertyIdentifier' in event && event.propertyIdentifier === '') return t('Choose the timer.');
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
