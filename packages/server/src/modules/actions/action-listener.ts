import { AppError } from '../../platform/errors.ts';
import type { ActionListener } from '../blueprints/index.ts';
import { actionsOfBlueprint } from './action.store.ts';
import { removeAction } from './write-actions.ts';

/** Deletes the actions of a removed blueprint, or refuses the removal with `has_dependents`. */
export function createActionListener(): ActionListener {
  return {
    leave: async (work, { key, identifier }, mayDelete) => {
      const actions = await actionsOfBlueprint(work.tx, work.actor.orgId, key);
      if (actions.length > 0 && !mayDelete) {
        const names = actions.map((action) => action.identifier);
        throw new AppError(
          'has_dependents',
          `The blueprint "${identifier}" has actions: ${names.join(', ')}; "delete_actions=true" deletes them with it`,
          { details: { actions: names } },
        );
      }
      for (const action of actions) await removeAction(work, action);
    },
  };
}
