import type { Actor } from '../../platform/actor.ts';
import type { Reader } from '../../platform/db/database.ts';
import { notFound } from '../../platform/errors.ts';
import { findAction, findActionRows, listActionRows } from './action.store.ts';
import { actionBlueprint, isSelfService, type StoredAction } from './action.ts';
import { maySee } from './action-rights.ts';

/** Absent filters do not apply. */
export interface ActionFilters {
  readonly action_identifier?: readonly string[] | undefined;
  readonly blueprint_identifier?: readonly string[] | undefined;
  readonly operation?: readonly string[] | undefined;
  readonly published?: string | undefined;
  readonly trigger_type?: string | undefined;
  readonly trigger_event?: readonly string[] | undefined;
  readonly trigger_event_action_identifier?: readonly string[] | undefined;
}

/** Actions and automations that the caller may see, filtered, oldest first. */
export async function listActions(reader: Reader, actor: Actor, filters: ActionFilters): Promise<StoredAction[]> {
  const actions = await listActionRows(reader, actor.orgId);
  return actions.filter((action) => maySee(actor, action) && passes(action, filters));
}

/** Those of these self-service actions that the caller may see, in no order. */
export async function findSelfServiceActions(
  reader: Reader,
  actor: Actor,
  sought: { readonly keys: readonly number[] } | { readonly identifiers: readonly string[] },
): Promise<StoredAction[]> {
  const actions = await findActionRows(reader, actor.orgId, sought);
  return actions.filter((action) => isSelfService(action) && maySee(actor, action));
}

/** @throws AppError `not_found` if missing or not visible to the caller */
export async function getAction(reader: Reader, actor: Actor, identifier: string): Promise<StoredAction> {
  const action = await findAction(reader, actor.orgId, identifier);
  if (!action || !maySee(actor, action)) throw notFound('Action', identifier);
  return action;
}

function passes({ identifier, definition }: StoredAction, filters: ActionFilters): boolean {
  const { trigger, publish } = definition;
  const event = trigger.type === 'automation' ? trigger.event : undefined;
  const among = (list: readonly string[] | undefined, value: string | undefined): boolean =>
    !list || (value !== undefined && list.includes(value));
  return (
    among(filters.action_identifier, identifier) &&
    among(filters.blueprint_identifier, actionBlueprint(definition)) &&
    among(filters.operation, trigger.type === 'self-service' ? trigger.operation : undefined) &&
    (filters.published === undefined || String(publish ?? true) === filters.published.toLowerCase()) &&
    (filters.trigger_type === undefined || filters.trigger_type === trigger.type) &&
    among(filters.trigger_event, event?.type) &&
    among(
      filters.trigger_event_action_identifier,
      event && 'actionIdentifier' in event ? event.actionIdentifier : undefined,
    )
  );
}
