import { z } from 'zod';
import type { Actor } from '../../../platform/actor.ts';
import { notFound } from '../../../platform/errors.ts';
import { createGrowingCache } from '../../../platform/growing-cache.ts';
import { mergeAuthors } from '../../../platform/text-authors.ts';
import type { RegisteredTool } from '../../../platform/tools/registry.ts';
import { type ToolDeclaration, tool } from '../../../platform/tools/tool.ts';
import { startPrefix, startToolName, type ToolSource } from '../../../platform/tools/tool-source.ts';
import { findAction, listActionRows } from '../action.store.ts';
import { actionBlueprint, isSelfService, type SelfServiceAction, type StoredAction } from '../action.ts';
import { mayTry } from '../action-rights.ts';
import type { StartDeps } from '../runs/start-run.ts';
import { type ActionForm, actionForm, line, readArguments } from './action-form.ts';
import { type ActionTarget, runAction } from './run-action.ts';

/** One tool for many actions; an action with this identifier gets another tool name. */
const gatheredName = 'run_action';
/** Actions listed for one caller; others are found by name. */
const actionsMax = 1_000;
const keptMax = 5_000;

interface ActionTool {
  readonly tool: RegisteredTool;
  readonly target: ActionTarget;
  readonly form: ActionForm;
  readonly action: SelfServiceAction;
}

/**
 * A tool for each self-service action that the caller may run. Patterns match the literal `run_<identifier>`; models
 * see a safe form of it.
 */
export function actionToolSource(deps: StartDeps): ToolSource {
  const made = createGrowingCache<ActionTool>(keptMax);
  const byTool = new WeakMap<RegisteredTool, ActionTool>();

  function toTool(orgId: string, action: SelfServiceAction): RegisteredTool {
    // renaming the blueprint changes the tool but not the action's version
    const key = JSON.stringify([
      orgId,
      action.id,
      action.version,
      action.identifier,
      actionBlueprint(action.definition),
    ]);
    const known = made.get(key);
    if (known) return known.tool;
    const fresh = actionTool(deps, action);
    made.set(key, fresh);
    byTool.set(fresh.tool, fresh);
    return fresh.tool;
  }

  const list = async (actor: Actor): Promise<readonly RegisteredTool[]> => {
    const actions = (await listActionRows(deps.database, actor.orgId)).filter((action) => isOffered(actor, action));
    return (actions as SelfServiceAction[])
      .sort((left, right) => (left.identifier < right.identifier ? -1 : 1))
      .slice(0, actionsMax)
      .map((action) => toTool(actor.orgId, action));
  };

  return {
    prefix: startPrefix,
    list,
    async find(actor, name) {
      const identifier = name.slice(startPrefix.length);
      const named =
        startToolName(identifier) === name
          ? await findAction(deps.database, actor.orgId, identifier)
          : (await listActionRows(deps.database, actor.orgId)).find((each) => startToolName(each.identifier) === name);
      return named && isOffered(actor, named) ? toTool(actor.orgId, named as SelfServiceAction) : undefined;
    },
    gathered: {
      name: gatheredName,
      of: (tools) =>
        gatheredTool(
          deps,
          tools.flatMap((each) => byTool.get(each) ?? []),
        ),
    },
  };
}

/** Unpublished actions are not offered to assistants. */
function isOffered(actor: Actor, action: StoredAction): boolean {
  return isSelfService(action) && action.definition.publish !== false && mayTry(actor, action);
}

const shared = {
  // the external effect of an action is unknown
  effect: 'destructive',
  audience: 'developer',
  scope: 'execute:actions',
  // ids, states and addresses
  texts: 'none',
} as const satisfies Partial<ToolDeclaration>;

function actionTool(deps: StartDeps, action: SelfServiceAction): ActionTool {
  const form = actionForm(action);
  const target = { id: action.id, identifier: action.identifier };
  const name = startToolName(action.identifier);
  const verbatim = startPrefix + action.identifier;
  const declaration = tool({
    ...shared,
    name,
    ...(name === verbatim ? {} : { matchedAs: verbatim }),
    title: toolTitle(action),
    description: describe(action),
    describedBy: action.textAuthors,
    input: z.record(z.string(), z.unknown()),
    run: (context, given) => runAction(deps, context, target, readArguments(form, given)),
  });
  return { tool: { declaration, inputSchema: form.schema }, target, form, action };
}

function toolTitle({ definition, identifier }: SelfServiceAction): string {
  return line(definition.title, 100) || line(identifier, 100);
}

function describe(action: SelfServiceAction): string {
  const { trigger, description } = action.definition;
  const about = line(description, 300);
  const blueprint = actionBlueprint(action.definition);
  const on = blueprint === undefined ? 'anything' : line(blueprint, 100);
  const what = {
    CREATE: `Creates: runs the self-service action "${line(action.identifier, 100)}".`,
    'DAY-2': `Runs the self-service action "${line(action.identifier, 100)}" on an existing entity of ${on}.`,
    DELETE: `Deletes: runs the self-service action "${line(action.identifier, 100)}" on an existing entity of ${on}.`,
  }[trigger.operation];
  return `${toolTitle(action)}${about === '' ? '' : `: ${about}`}\n${what}`;
}

const gatheredInput = z.strictObject({
  actionIdentifier: z.string().min(1).max(1000).describe('One of the actions named above'),
  properties: z.record(z.string(), z.unknown()).default({}).describe('The inputs of the action by their keys'),
  entity: z.string().max(3000).optional().describe('Identifier of the entity to act on, where the action needs one'),
});
const listBytesMax = 12_000;

/** A tool that runs any of these actions, and no other. */
function gatheredTool(deps: StartDeps, members: readonly ActionTool[]): RegisteredTool {
  const byIdentifier = new Map(members.map(({ target }) => [target.identifier, target]));
  const declaration = tool({
    ...shared,
    name: gatheredName,
    stands: 'for-many',
    title: 'Run an action',
    description: `Runs one of these self-service actions (inputs in brackets, those with * are required):\n${listed(members)}`,
    describedBy: mergeAuthors(...members.map(({ action }) => action.textAuthors)),
    input: gatheredInput,
    run: (context, { actionIdentifier, properties, entity }) => {
      const target = byIdentifier.get(actionIdentifier);
      if (!target) return Promise.reject(notFound('Action', actionIdentifier));
      return runAction(deps, context, target, { properties, entity });
    },
  });
  const inputSchema = {
    type: 'object',
    properties: {
      actionIdentifier: { type: 'string', description: 'One of the actions named above' },
      properties: { type: 'object', description: 'The inputs of the action by their keys' },
      entity: { type: 'string', description: 'Identifier of the entity to act on, where the action needs one' },
    },
    required: ['actionIdentifier'],
    additionalProperties: false,
  };
  return { declaration, inputSchema };
}

function listed(members: readonly ActionTool[]): string {
  let text = '';
  let left = members.length;
  for (const { target, form, action } of members) {
    const required = new Set((form.schema['required'] as string[] | undefined) ?? []);
    const inputs = [...form.keyOf].map(([name, key]) => `${key}${required.has(name) ? '*' : ''}`).join(', ');
    const on = form.entityNames.length === 0 ? '' : ` on a ${line(actionBlueprint(action.definition), 60)}`;
    const next = `- ${target.identifier} (${line(inputs, 300)})${on}: ${toolTitle(action)}\n`;
    if (text.length + next.length > listBytesMax) break;
    text += next;
    left -= 1;
  }
  return left === 0 ? text : `${text}- and ${left} more, by their identifiers`;
}
