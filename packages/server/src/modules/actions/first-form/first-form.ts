import { type ActionBody, actionBody } from '@portolan/contract/actions';
import type { BlueprintAction, BlueprintActionBody } from '@portolan/contract/blueprint-actions';
import { invalidRequest } from '../../../platform/errors.ts';
import { toIssues } from '../../../platform/http/issues.ts';
import { presentAction, type SelfServiceAction } from '../action.ts';

const types: Readonly<Record<string, string>> = { 'AZURE-DEVOPS': 'AZURE_DEVOPS' };

/**
 * Converts from the first form: blueprint and inputs move into the trigger, and values that the first form sent to
 * workflows implicitly become explicit.
 * @throws AppError `invalid_request`, with paths of the first form
 */
export function fromFirstForm(blueprint: string, body: BlueprintActionBody): ActionBody {
  const { identifier, title, icon, description, requiredApproval, approvalNotification } = body;
  const { invocationMethod, trigger, userInputs } = body;
  const written = {
    identifier,
    title,
    icon,
    description,
    trigger: {
      type: 'self-service',
      operation: trigger,
      blueprintIdentifier: blueprint,
      userInputs: userInputs ?? { properties: {} },
    },
    invocationMethod: writtenOut(invocationMethod),
    requiredApproval,
    approvalNotification,
  };
  const parsed = actionBody.safeParse(written);
  if (parsed.success) return parsed.data;
  const issues = toIssues(parsed.error, written).map((issue) => ({
    ...issue,
    path: issue.path.replace(/^\/trigger\/(userInputs)/, '/$1').replace(/^\/trigger\/operation/, '/trigger'),
  }));
  throw invalidRequest(issues, 'The action');
}

function writtenOut(method: BlueprintActionBody['invocationMethod']): Readonly<Record<string, unknown>> {
  const type = types[method.type] ?? method.type;
  const { omitUserInputs, omitPayload } = method;
  const inputs = {
    ...(omitUserInputs === true ? {} : { '{{ spreadValue() }}': '{{ .inputs }}' }),
    ...(omitPayload === true ? {} : { port_payload: '{{ {context: {runId: .run.id}, payload: .} | tojson }}' }),
  };
  if (type === 'GITHUB' && method['workflowInputs'] === undefined) return { ...method, type, workflowInputs: inputs };
  if (type === 'GITLAB' && method['pipelineVariables'] === undefined) {
    return { ...method, type, pipelineVariables: inputs };
  }
  return { ...method, type };
}

export function toFirstForm(blueprint: string, action: SelfServiceAction): BlueprintAction {
  const { trigger, invocationMethod, ...shown } = presentAction(action);
  const { publish: _publish, allowAnyoneToViewRuns: _shown, ...rest } = shown;
  const type = invocationMethod['type'];
  return {
    ...rest,
    blueprint,
    trigger: action.definition.trigger.operation,
    userInputs: trigger['userInputs'] as BlueprintAction['userInputs'],
    invocationMethod: { ...invocationMethod, type: type === 'AZURE_DEVOPS' ? 'AZURE-DEVOPS' : (type ?? null) },
  } as BlueprintAction;
}
