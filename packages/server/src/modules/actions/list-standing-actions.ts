import type { Actor } from '../../platform/actor.ts';
import type { Reader } from '../../platform/db/database.ts';
import { listActionRows } from './action.store.ts';
import { actionBlueprint, isSelfService } from './action.ts';
import { isGranted, maySee, mayTry } from './action-rights.ts';

/**
 * The self-service actions that the actor may see, and which of them they may let an agent run by itself. A policy is
 * asked for the very call, when it is made.
 */
export async function listStandingActions(reader: Reader, actor: Actor) {
  const actions = (await listActionRows(reader, actor.orgId)).filter((action) => maySee(actor, action));
  return actions.filter(isSelfService).map((action) => {
    const { id, version, identifier, definition } = action;
    const { trigger } = definition;
    const { properties } = trigger.userInputs;
    return {
      id,
      version,
      identifier,
      title: definition.title ?? null,
      blueprint: trigger.operation === 'CREATE' ? null : (actionBlueprint(definition) ?? null),
      isDestructive: trigger.operation === 'DELETE',
      inputs: Object.entries(properties).map(([key, { title }]) => ({
        key,
        title: typeof title === 'string' && title !== '' ? title : key,
      })),
      mayGive: mayTry(actor, action) && isGranted(actor, action, 'approve'),
    };
  });
}
