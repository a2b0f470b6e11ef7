import type { AutomationEventType, AutomationTrigger, InvocationMethod } from '@portolan/contract';
import type { AnswerOf } from '../../api/api.ts';
import { isObject } from '../../parts/json-value.ts';
import { type Issue, segmentsOf } from '../../parts/refusal.ts';

export type Automation = AnswerOf<'getAction'>['action'];
/** What people write of an automation; keys that the form does not know stay. */
export type Draft = Omit<
  Automation,
  'id' | 'createdAt' | 'createdBy' | 'updatedAt' | 'updatedBy' | 'trigger' | 'invocationMethod'
> & {
  readonly trigger: AutomationTrigger;
  readonly invocationMethod: Backend;
};
/** A backend while it is written: its kind, and whatever was filled in. */
export type Backend = { readonly type: InvocationMethod['type'] } & Readonly<Record<string, unknown>>;
export type Event = AutomationTrigger['event'];

export const emptyDraft: Draft = {
  identifier: '',
  title: '',
  publish: true,
  trigger: { type: 'automation', event: { type: 'ENTITY_CREATED', blueprintIdentifier: '' } },
  invocationMethod: { type: 'WEBHOOK', url: '', method: 'POST', body: { event: '{{ .event }}' } },
};

export function automationAddress(identifier: string): string {
  return `/builder/automations/${encodeURIComponent(identifier)}`;
}

export function asDraft(automation: Automation): Draft {
  const { id, createdAt, createdBy, updatedAt, updatedBy, ...draft } = automation;
  return draft as unknown as Draft;
}

export function draftText(draft: Draft): string {
  return JSON.stringify(draft, null, 2);
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

/** The draft that a text means, or what keeps it from being one. The server checks what stands inside. */
export function readDraft(text: string): { readonly draft: Draft } | { readonly problem: string } {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    return { problem: (error as Error).message };
  }
  if (!isObject(value)) return { problem: 'An automation is an object' };
  if (typeof value['identifier'] !== 'string') return { problem: '"identifier" must be a text' };
  const { trigger, invocationMethod } = value;
  if (!isObject(trigger) || trigger['type'] !== 'automation') {
    return { problem: '"trigger" must be { "type": "automation", "event": { … } }' };
  }
  if (!isObject(trigger['event']) || !Object.hasOwn(eventTypes, String(trigger['event']['type']))) {
    return { problem: `"trigger.event.type" must be one of ${Object.keys(eventTypes).join(', ')}` };
  }
  const { condition } = trigger;
  if (condition !== undefined && condition !== null) {
    const expressions = isObject(condition) ? condition['expressions'] : undefined;
    if (!Array.isArray(expressions) || !expressions.every((each) => typeof each === 'string')) {
      return { problem: '"trigger.condition.expressions" must be a list of texts' };
    }
  }
  if (!isObject(invocationMethod) || !Object.hasOwn(backendWords, String(invocationMethod['type']))) {
    return { problem: `"invocationMethod.type" must be one of ${Object.keys(backendWords).join(', ')}` };
  }
  return { draft: value as unknown as Draft };
}

/** Another kind of event; what it is about stays where it still fits. */
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

/** When it runs, in words. */
export function triggerWords(trigger: unknown): string {
  const event = (isObject(trigger) && isObject(trigger['event']) ? trigger['event'] : {}) as Readonly<
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
  const condition = isObject(trigger) && isObject(trigger['condition']) ? trigger['condition'] : {};
  const { expressions } = condition;
  const isConditional = Array.isArray(expressions) && expressions.length > 0;
  return `${words[type] ?? type}${isConditional ? ', under a condition' : ''}`;
}

const backendWords: Readonly<Record<InvocationMethod['type'], string>> = {
  WEBHOOK: 'Webhook',
  UPSERT_ENTITY: 'Entity',
  GITHUB: 'GitHub workflow',
  GITLAB: 'GitLab pipeline',
  AZURE_DEVOPS: 'Azure DevOps pipeline',
  KAFKA: 'Kafka topic',
  INTEGRATION_ACTION: 'Integration',
};

/** What it does, in words. */
export function backendOf(method: unknown): string {
  const { type, url } = (isObject(method) ? method : {}) as Readonly<Record<string, unknown>>;
  if (type === 'WEBHOOK' && isAiAddress(url)) return 'Asks the assistant or an agent';
  return backendWords[type as InvocationMethod['type']] ?? String(type ?? '');
}

/** An address of the platform at which agents and the assistant are asked. */
export function isAiAddress(url: unknown): boolean {
  return typeof url === 'string' && /\/v1\/(agent(\/[^/?]+)?|ai)\/invoke(\?|$)/.test(url);
}

/** It writes what it waits for: without a condition on what changed it may run again and again. */
export function mayTriggerItself({ trigger, invocationMethod }: Draft): boolean {
  const { event, condition } = trigger;
  if (!('blueprintIdentifier' in event) || invocationMethod.type !== 'UPSERT_ENTITY') return false;
  if (!['ENTITY_UPDATED', 'ANY_ENTITY_CHANGE', 'ENTITY_CREATED'].includes(event.type)) return false;
  const comparesStates = (condition?.expressions ?? []).some((each) => /\.before/.test(each) && /\.after/.test(each));
  return invocationMethod['blueprintIdentifier'] === event.blueprintIdentifier && !comparesStates;
}

/** What has to be filled in before it can be saved, in the words of the server's issues. */
export function missingIn({ identifier, trigger, invocationMethod }: Draft): string | undefined {
  if (identifier.trim() === '') return 'It needs an identifier.';
  const { event } = trigger;
  if ('actionIdentifier' in event) {
    if (event.actionIdentifier === '') return 'Choose the action whose runs it waits for.';
  } else if (event.blueprintIdentifier === '') return 'Choose the blueprint whose entities it waits for.';
  if ('propertyIdentifier' in event && event.propertyIdentifier === '') return 'Choose the timer.';
  if (invocationMethod.type === 'WEBHOOK' && !invocationMethod['url']) return 'The webhook needs an address.';
  if (invocationMethod.type === 'UPSERT_ENTITY' && !invocationMethod['blueprintIdentifier']) {
    return 'Choose the blueprint that is written.';
  }
  return undefined;
}

export type Section = 'general' | 'when' | 'if' | 'then';

/** The section of the form that shows the place an issue speaks of. */
export function sectionOf({ path }: Issue): Section {
  const [first, second] = segmentsOf(path);
  if (first === 'invocationMethod') return 'then';
  if (first === 'trigger') return second === 'condition' ? 'if' : 'when';
  return 'general';
}
