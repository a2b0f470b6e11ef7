import { isRecord } from '@portolan/contract/json-value';
import type { Actor } from '../../../../platform/actor.ts';
import { parseJson } from '../../../../platform/parse-json.ts';
import { startPrefix, startToolName } from '../../../../platform/tools/tool-source.ts';
import { findSelfServiceActions, line, listActionRows, readArguments, toolForm } from '../../../actions/index.ts';
import type { DefinitionsDeps } from '../../definitions/definitions.deps.ts';
import { listWorkflows } from '../../definitions/read-workflows.ts';
import { triggerForm } from '../../definitions/start-form.ts';
import { publishedForms } from '../../definitions/trigger-rights.ts';
import { nameForm } from '../../tools/trigger-name.ts';
import type { DrawnCall, RecordedCall } from './drawn-call.ts';

type Values = Readonly<Record<string, unknown>>;
type Named = Promise<DrawnCall | undefined>;

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');
const valuesOf = (value: unknown): Values => (isRecord(value) ? value : {});

/** What the calls of an answer stand for, as far as the actor may see that today. */
export async function nameCalls(
  deps: DefinitionsDeps,
  actor: Actor,
  calls: readonly RecordedCall[],
): Promise<DrawnCall[]> {
  const named: DrawnCall[] = [];
  for (const { name, arguments: written, isError } of calls) {
    const given = isError ? undefined : readJson(written);
    if (!given) named.push({ kind: 'none', name, why: 'failed' });
    else if (name === 'trigger_run' || name.startsWith(startPrefix)) {
      named.push((await nameStart(deps, actor, name, given)) ?? { kind: 'none', name, why: 'gone' });
    } else named.push({ kind: 'tool', name, given });
  }
  return named;
}

function readJson(text: string): Values | undefined {
  const value = parseJson(text === '' ? '{}' : text);
  return isRecord(value) ? value : undefined;
}

async function nameStart(deps: DefinitionsDeps, actor: Actor, name: string, given: Values): Named {
  if (name === 'run_action') {
    const { actionIdentifier, properties, entity } = given;
    return nameAction(deps, actor, textOf(actionIdentifier), () => ({ properties: valuesOf(properties), entity }));
  }
  if (name === 'run_workflow') {
    const sought = textOf(given['workflow']);
    return nameWorkflow(
      deps,
      actor,
      (form) => form === sought,
      () => valuesOf(given['inputs']),
    );
  }
  if (name === 'trigger_run') {
    const [workflow, node] = [textOf(given['workflowIdentifier']), given['nodeIdentifier']];
    const isSought = (_: string, of: string, at: string) => of === workflow && (node === undefined || at === node);
    return nameWorkflow(deps, actor, isSought, () => valuesOf(given['inputs']));
  }
  const isCalledSo = (identifier: string) => startToolName(identifier) === name;
  const actions = await listActionRows(deps.database, actor.orgId);
  const action = actions.find(({ identifier }) => isCalledSo(identifier));
  return (
    (action && (await nameAction(deps, actor, action.identifier, (form) => readArguments(form, given)))) ??
    nameWorkflow(deps, actor, isCalledSo, (form) => readArguments(form, given).properties)
  );
}

async function nameAction(
  { database }: DefinitionsDeps,
  actor: Actor,
  sought: string,
  read: (form: ReturnType<typeof toolForm>) => { readonly properties: Values; readonly entity: unknown },
): Named {
  const [action] = await findSelfServiceActions(database, actor, { identifiers: [sought] });
  if (action?.definition.trigger.type !== 'self-service') return undefined;
  const { userInputs, operation, blueprintIdentifier } = action.definition.trigger;
  const blueprint = operation === 'CREATE' ? undefined : (blueprintIdentifier ?? undefined);
  const { properties, entity } = read(toolForm(userInputs, blueprint));
  const title = line(action.definition.title, 100) || action.identifier;
  const inputs = userInputs.properties;
  return { kind: 'action', action: action.identifier, title, blueprint, entity, inputs, values: properties };
}

async function nameWorkflow(
  deps: DefinitionsDeps,
  actor: Actor,
  isSought: (form: string, workflow: string, node: string) => boolean,
  read: (form: ReturnType<typeof toolForm>) => Values,
): Named {
  for (const workflow of await listWorkflows(deps, actor)) {
    for (const node of publishedForms(workflow)) {
      if (!isSought(nameForm(workflow, node.identifier), workflow.identifier, node.identifier)) continue;
      const form = triggerForm(node);
      const title = line(workflow.definition.title, 100) || workflow.identifier;
      return {
        kind: 'workflow',
        workflow: workflow.identifier,
        node: node.identifier,
        title,
        inputs: form.properties,
        values: read(toolForm(form)),
      };
    }
  }
  return undefined;
}
