import { isRecord } from '@portolan/contract/json-value';
import { type Actor, openedFor } from '../../../platform/actor.ts';
import { invalidRequest } from '../../../platform/errors.ts';
import { encryptInputs, resolveForm } from '../../actions/index.ts';
import type { DefinitionsDeps } from '../definitions/definitions.deps.ts';
import { readForm } from '../definitions/rules/node-rules.ts';
import { brokenConstraints } from '../definitions/start-form.ts';
import type { WorkflowNode } from '../definitions/workflow.ts';
import type { StoredNodeRun } from './workflow-run.ts';

type Values = Readonly<Record<string, unknown>>;

/**
 * Checks what a person writes into the form of an `INPUT`, in the texts that were settled when it began to wait;
 * encrypted inputs are sealed.
 * @throws AppError `invalid_request`
 */
export async function checkResponse(
  deps: DefinitionsDeps,
  actor: Actor,
  node: WorkflowNode,
  { input }: StoredNodeRun,
  inputs: Values,
): Promise<{ readonly values: Values }> {
  const settled = isRecord(input) ? input['userInputs'] : undefined;
  const form = readForm(settled) ?? readForm(node.config['userInputs']) ?? { properties: {} };
  const { values, issues, context } = await resolveForm(deps, actor, form, inputs);
  // a form without inputs takes none
  const unknown = Object.keys(form.properties).length > 0 ? [] : Object.keys(inputs);
  const broken = [
    ...issues,
    ...unknown.map((key) => ({ path: `/properties/${key}`, message: 'is no input of the form' })),
    ...brokenConstraints(form, context, deps.clock.now()),
  ];
  if (broken.length > 0) {
    throw invalidRequest(
      broken.map(({ path, message }) => ({ path: path.replace(/^\/properties(?=\/|$)/, '/inputs'), message })),
      'The response',
    );
  }
  const clientSecret = await deps.secrets.signingSecretOf(actor.orgId, openedFor(actor));
  return { values: encryptInputs(form, values, clientSecret) };
}
