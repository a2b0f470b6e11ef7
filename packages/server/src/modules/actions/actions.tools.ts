import { type Action, actionBody, actionPermissionsBody } from '@portolan/contract/actions';
import { z } from 'zod';
import type { Actor } from '../../platform/actor.ts';
import type { Database } from '../../platform/db/database.ts';
import { definition, readDefinition } from '../../platform/tools/definition.ts';
import { pageArguments, pageOfAll } from '../../platform/tools/page.ts';
import { type ToolDeclaration, tool } from '../../platform/tools/tool.ts';
import { findAction } from './action.store.ts';
import { actionBlueprint, presentAction, type StoredAction } from './action.ts';
import type { ActionsDeps } from './actions.deps.ts';
import { changeActionPermissions, readActionPermissions } from './change-action-permissions.ts';
import { getAction, listActions } from './read-actions.ts';
import { createAction, deleteAction, replaceAction } from './write-actions.ts';

const identifier = z.string().min(1).describe('Identifier of the action');

/**
 * Tools on definitions of actions. Tools that run actions come from a source; those on runs are in
 * `runs/runs.tools.ts`.
 */
export function actionTools(deps: ActionsDeps): ToolDeclaration[] {
  return [listTool(deps), getTool(deps), permissionsTool(deps), ...builderTools(deps)];
}

function listTool({ database }: { database: Database }): ToolDeclaration {
  return tool({
    name: 'list_actions',
    title: 'List actions',
    description:
      'Lists the self-service actions that the caller may see, in short form; for administrators automations too. get_action returns the inputs of one.',
    effect: 'read',
    scope: 'read:actions',
    audience: 'developer',
    texts: 'noted',
    input: z.strictObject({
      triggerType: z.enum(['self-service', 'automation']).optional(),
      blueprint: z.string().min(1).optional().describe('Only actions on entities of this blueprint'),
      ...pageArguments,
    }),
    run: async ({ actor }, { triggerType, blueprint, ...page }) => {
      const filters = { trigger_type: triggerType, blueprint_identifier: blueprint ? [blueprint] : undefined };
      const actions = await listActions(database, actor, filters);
      const { items, ...rest } = pageOfAll(actions, (each) => each.identifier, page);
      noteTexts(actor, items);
      return { ...rest, actions: items.map(shortForm) };
    },
  });
}

function noteTexts({ textsRead }: Actor, shown: readonly StoredAction[]): void {
  for (const { identifier: name, textAuthors } of shown) textsRead?.add(textAuthors, `the action ${name}`);
}

function shortForm({ identifier: name, definition: written }: StoredAction) {
  const { title, description, trigger, publish } = written;
  const blueprint = actionBlueprint(written);
  return {
    identifier: name,
    ...(title ? { title } : {}),
    ...(description ? { description } : {}),
    triggerType: trigger.type,
    ...(trigger.type === 'self-service' ? { operation: trigger.operation } : { event: trigger.event.type }),
    ...(blueprint === undefined ? {} : { blueprint }),
    ...(publish === false ? { published: false } : {}),
  };
}

function getTool({ database }: { database: Database }): ToolDeclaration {
  return tool({
    name: 'get_action',
    title: 'Get an action',
    description:
      'Returns the definition of one action: its inputs with their types and which are required, what it does, and whether it needs approval.',
    effect: 'read',
    scope: 'read:actions',
    audience: 'developer',
    texts: 'noted',
    input: z.strictObject({ identifier }),
    run: async ({ actor }, input): Promise<{ action: Action }> => {
      const action = await getAction(database, actor, input.identifier);
      noteTexts(actor, [action]);
      return { action: presentAction(action) };
    },
  });
}

function permissionsTool(deps: ActionsDeps): ToolDeclaration {
  return tool({
    name: 'get_action_permissions',
    title: 'Get the rights on an action',
    description: 'Tells who may execute an action and who may approve its runs.',
    effect: 'read',
    scope: 'read:actions',
    audience: 'developer',
    input: z.strictObject({ identifier }),
    run: async ({ actor }, input) => ({ permissions: await readActionPermissions(deps, actor, input.identifier) }),
  });
}

function builderTools(deps: ActionsDeps): ToolDeclaration[] {
  return [
    tool({
      name: 'upsert_action',
      title: 'Create or replace an action or automation',
      description:
        'Creates the action if its identifier is new, else replaces it whole; read it first with get_action to keep what shall stay. Writing an action runs nothing.',
      effect: 'destructive',
      scope: ['create:actions', 'update:actions'],
      audience: 'builder',
      aliases: ['create_action', 'update_action'],
      isIdempotent: true,
      input: z.strictObject({
        action: definition(
          'Like {"identifier": "restart_service", "title": "Restart", "trigger": {"type": "self-service", "operation": "DAY-2", "blueprintIdentifier": "service", "userInputs": {"properties": {"reason": {"type": "string"}}, "required": ["reason"], "order": ["reason"]}}, "invocationMethod": {"type": "WEBHOOK", "url": "https://example.com/restart"}, "requiredApproval": false}. An automation has {"type": "automation", "event": {"type": "ENTITY_UPDATED", "blueprintIdentifier": "service"}} as its trigger.',
        ),
      }),
      run: async ({ actor }, input) => {
        const body = readDefinition(actionBody, input.action, 'action');
        const exists = await findAction(deps.database, actor.orgId, body.identifier);
        const { action, warnings } = exists
          ? await replaceAction(deps, actor, body.identifier, body)
          : await createAction(deps, actor, body);
        return { created: !exists, action: presentAction(action), ...(warnings.length > 0 ? { warnings } : {}) };
      },
    }),
    tool({
      name: 'delete_action',
      title: 'Delete an action or automation',
      description: 'Deletes one action or automation. Its runs are kept.',
      effect: 'destructive',
      scope: 'delete:actions',
      audience: 'builder',
      input: z.strictObject({ identifier }),
      run: async ({ actor }, input) => {
        await deleteAction(deps, actor, input.identifier);
        return { deleted: input.identifier };
      },
    }),
    tool({
      name: 'update_action_permissions',
      title: 'Change who may execute and approve an action',
      description:
        'Changes the rights on an action; each list that is sent (roles, users, teams of execute and approve) replaces the stored one. Read them first with get_action_permissions.',
      effect: 'destructive',
      scope: 'update:actions',
      audience: 'builder',
      aliases: ['update_action_policies'],
      isIdempotent: true,
      input: z.strictObject({ identifier, permissions: actionPermissionsBody }),
      run: ({ actor }, input) => changeActionPermissions(deps, actor, input.identifier, input.permissions),
    }),
  ];
}
