import type { FormState } from '@portolan/contract/action-forms';
import type { UserInputs } from '@portolan/contract/action-inputs';
import type { Issue } from '@portolan/contract/errors';
import { toRecord } from '@portolan/contract/json-value';
import type { WorkflowFormState } from '@portolan/contract/workflows';
import { type Actor, openedFor } from '../../../platform/actor.ts';
import { AppError, invalidRequest, notFound } from '../../../platform/errors.ts';
import type { EvaluationTime } from '../../../platform/evaluation-time.ts';
import { mergeAuthors, type TextAuthor } from '../../../platform/text-authors.ts';
import {
  describeForm,
  encryptedInputs,
  encryptInputs,
  type FormContext,
  readFormExpression,
  resolveForm,
} from '../../actions/index.ts';
import type { DefinitionsDeps } from './definitions.deps.ts';
import { getWorkflow, nodeIn } from './read-workflows.ts';
import { readForm } from './rules/node-rules.ts';
import { findStarterAuthors } from './starter-authors.ts';
import { isPublishedForm, startRights } from './trigger-rights.ts';
import type { StoredWorkflow, WorkflowNode } from './workflow.ts';

type Values = Readonly<Record<string, unknown>>;

export interface CheckedStart {
  /** To be stored. */
  readonly values: Values;
  readonly open: readonly string[];
  /** Of the values, and of the name of whoever starts it where its steps read that. */
  readonly authors: readonly TextAuthor[];
}

/**
 * Checks that the actor may start this workflow by this trigger with these inputs, and gives the values to store:
 * completed by defaults, encrypted ones sealed. It only reads, so it is asked again where the run is stored. A model
 * fills in no encrypted inputs: those that are required stay open.
 * @throws AppError `not_found`, `missing_permissions`, `trigger_unpublished`, `invalid_request`
 */
export async function checkStart(
  deps: DefinitionsDeps,
  actor: Actor,
  workflow: StoredWorkflow,
  triggerNode: string,
  inputs: Values,
  { isFilledByModel = false }: { readonly isFilledByModel?: boolean } = {},
): Promise<CheckedStart> {
  const rights = await startRights(deps, deps.database, actor, [workflow.key]);
  const isSeen = await rights.maySee(workflow);
  const node = workflow.definition.nodes.find(({ identifier }) => identifier === triggerNode);
  if (node?.config.type !== 'SELF_SERVE_TRIGGER') {
    if (!isSeen) throw notFound('Workflow', workflow.identifier);
    throw noForm(workflow, triggerNode);
  }
  if (!isPublishedForm(node)) {
    if (!isSeen) throw notFound('Workflow', workflow.identifier);
    const message = `The trigger "${triggerNode}" of the workflow "${workflow.identifier}" is not published`;
    throw new AppError('trigger_unpublished', message);
  }
  const form = triggerForm(node);
  const resolved = await resolveForm(deps, actor, form, inputs, { isFilledByModel });
  const { values, issues, open, context, time } = resolved;
  // a policy may ask for the inputs, and whoever it admits by them sees the workflow by that alone
  if (!(await rights.mayStart(workflow, node, context.form))) {
    if (!isSeen) throw notFound('Workflow', workflow.identifier);
    const message = `You may not start the workflow "${workflow.identifier}" by "${triggerNode}" with these inputs`;
    throw new AppError('missing_permissions', message);
  }
  const broken = [...issues, ...brokenConstraints(form, context, time)];
  if (broken.length > 0) throw invalidRequest(broken.map(inBody), 'The run');
  const seals = encryptedInputs(form).length > 0;
  const clientSecret = seals ? await deps.secrets.signingSecretOf(actor.orgId, openedFor(actor)) : undefined;
  const authors = mergeAuthors(resolved.authors, await findStarterAuthors(deps, actor, workflow));
  return { values: encryptInputs(form, values, clientSecret), open, authors };
}

/** The triggers with a form of a workflow that a run may be started by. */
function listForms({ definition }: StoredWorkflow): readonly string[] {
  return definition.nodes
    .filter(({ config }) => config.type === 'SELF_SERVE_TRIGGER')
    .map(({ identifier }) => identifier);
}

function noForm(workflow: StoredWorkflow, node: string): AppError {
  const forms = listForms(workflow);
  const choice = forms.length === 0 ? 'none of its triggers is one' : `write ${forms.join(' or ')}`;
  const message =
    node === ''
      ? `is required: ${choice}`
      : `"${node}" is no SELF_SERVE_TRIGGER of "${workflow.identifier}"; ${choice}`;
  return invalidRequest([{ path: '/nodeIdentifier', message }], 'The run');
}

/** Evaluates the form of a trigger while it is filled. @throws AppError `not_found`, `invalid_request` */
export async function evaluateTriggerForm(
  deps: DefinitionsDeps,
  actor: Actor,
  identifier: string,
  nodeIdentifier: string,
  inputs: Values,
): Promise<WorkflowFormState> {
  const workflow = await getWorkflow(deps, actor, identifier);
  const node = nodeIn(workflow, nodeIdentifier);
  if (node.config.type !== 'SELF_SERVE_TRIGGER') throw noForm(workflow, nodeIdentifier);
  const form = triggerForm(node);
  const { values, issues, context, time } = await resolveForm(deps, actor, form, inputs);
  const rights = await startRights(deps, deps.database, actor, [workflow.key]);
  return {
    // values come from JSON or jq
    values: values as FormState['values'],
    ...describeForm(form, context, time),
    issues: [...issues, ...brokenConstraints(form, context, time)].map(inBody),
    mayRun: isPublishedForm(node) && (await rights.mayStart(workflow, node, context.form)),
  };
}

/** The form of a trigger; one without inputs if it has none. */
export function triggerForm({ config }: WorkflowNode): UserInputs {
  return readForm(config['userInputs']) ?? { properties: {} };
}

/** Rules over a whole form, and of the steps that show, whose expression is not `true`; with the author's words. */
export function brokenConstraints(form: UserInputs, context: FormContext, time: EvaluationTime): Issue[] {
  const { hiddenSteps } = describeForm(form, context, time);
  const steps = (form.steps ?? []).flatMap((step, index) =>
    hiddenSteps.includes(index) ? [] : listConstraints(toRecord(step)['validations']),
  );
  return [...listConstraints(toRecord(form)['validations']), ...steps].flatMap(({ constraint, message }) => {
    return readFormExpression(constraint, context, time) === true ? [] : [{ path: '/properties', message }];
  });
}

function listConstraints(list: unknown): { readonly constraint: string; readonly message: string }[] {
  return (Array.isArray(list) ? list : []).flatMap((each) => {
    const { constraint, message } = toRecord(each);
    return typeof constraint === 'string' && typeof message === 'string' ? [{ constraint, message }] : [];
  });
}

/** Runs of workflows take "inputs" where runs of actions take "properties". */
export function inBody({ path, message }: Issue): Issue {
  return { path: path.replace(/^\/properties(?=\/|$)/, '/inputs'), message };
}
