import type { AutomationTrigger } from '@portolan/contract/actions';
import { toRecord } from '@portolan/contract/json-value';

interface PastEvent {
  readonly action?: unknown;
  readonly resourceType?: unknown;
  readonly context?: unknown;
}

const entityActions: Readonly<Record<string, readonly string[]>> = {
  ENTITY_CREATED: ['CREATE'],
  ENTITY_UPDATED: ['UPDATE'],
  ENTITY_DELETED: ['DELETE'],
  ANY_ENTITY_CHANGE: ['CREATE', 'UPDATE', 'DELETE'],
  TIMER_PROPERTY_EXPIRED: ['TIMER_EXPIRED'],
};
const runActions: Readonly<Record<string, readonly string[]>> = {
  RUN_CREATED: ['CREATE'],
  RUN_UPDATED: ['UPDATE'],
  ANY_RUN_CHANGE: ['CREATE', 'UPDATE'],
};

/** Says in a sentence why a trigger does not listen to an event; undefined if it does. */
export function whyNot(trigger: AutomationTrigger, happened: PastEvent): string | undefined {
  const { event } = trigger;
  const kind = event.type in runActions ? 'run' : 'entity';
  if (happened.resourceType !== kind) {
    return `${event.type} waits for a resourceType "${kind}", and the event has ${quoted(happened.resourceType)}`;
  }
  const actions = { ...entityActions, ...runActions }[event.type] ?? [];
  if (!actions.includes(String(happened.action))) {
    return `${event.type} waits for ${actions.join(', ')}, and the event is ${quoted(happened.action)}`;
  }
  const context = toRecord(happened.context);
  if ('actionIdentifier' in event) {
    return differs('action', event.actionIdentifier, toRecord(context['action'])['identifier']);
  }
  const ofBlueprint = differs('blueprint', event.blueprintIdentifier, context['blueprintIdentifier']);
  if (ofBlueprint || !('propertyIdentifier' in event)) return ofBlueprint;
  return differs('property', event.propertyIdentifier, context['propertyIdentifier']);
}

function differs(what: string, wanted: string, got: unknown): string | undefined {
  return got === wanted ? undefined : `the trigger names the ${what} "${wanted}", and the event ${quoted(got)}`;
}

function quoted(value: unknown): string {
  return value === undefined || value === null ? 'none' : JSON.stringify(value)?.slice(0, 200);
}
