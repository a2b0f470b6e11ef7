import { toRecord } from '@portolan/contract/json-value';
import { type Actor, openedFor } from '../../../platform/actor.ts';
import { invalidRequest } from '../../../platform/errors.ts';
import { encryptInputs, resolveForm } from '../../actions/index.ts';
import type { DefinitionsDeps } from './definitions.deps.ts';
import { readForm } from './rules/node-rules.ts';
import { brokenConstraints, inBody } from './start-form.ts';
import type { WorkflowNode } from './workflow.ts';

type Values = Readonly<Record<string, unknown>>;

/**
 * Checks what a person writes into the form of an `INPUT`, as it was rendered when it began to wait, and gives the
 * values to store: completed by defaults, encrypted ones sealed. @throws AppError `invalid_request`
 */
export async function checkResponse(
  deps: DefinitionsDeps,
  actor: Actor,
  { config }: WorkflowNode,
  { input }: { readonly input: unknown },
  inputs: Values,
): Promise<{ readonly values: Values }> {
  const form = readForm({ properties: {}, ...toRecord(toRecord(input)['userInputs'] ?? config['userInputs']) });
  if (!form) return { values: {} };
  const { values, issues, context, time } = await resolveForm(deps, actor, form, inputs);
  const broken = [...issues, ...brokenConstraints(form, context, time)];
  if (broken.length > 0) throw invalidRequest(broken.map(inBody), 'The response');
  // an action without a form passes any input on; a form with buttons alone takes none
  if (Object.keys(form.properties).length === 0) return { values: {} };
  const clientSecret = await deps.secrets.signingSecretOf(actor.orgId, openedFor(actor));
  return { values: encryptInputs(form, values, clientSecret) };
}
