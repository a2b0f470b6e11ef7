import type { FormBody, FormState } from '@portolan/contract/action-forms';
import type { Actor } from '../../../platform/actor.ts';
import { approvalRule, type SelfServiceAction } from '../action.ts';
import type { ActionsDeps } from '../actions.deps.ts';
import { describeForm } from '../inputs/describe-form.ts';
import { resolveInputs } from '../inputs/resolve-inputs.ts';
import { listApprovers, mayExecute } from './run-rights.ts';
import { buildSubject, entityFor } from './run-subject.ts';
import { conditionIssues, runnable } from './start-run.ts';

/**
 * Evaluates a form while it is being filled: the state of each input, and exactly the checks of starting a run. Without
 * its entity, a form is evaluated as far as possible.
 * @throws AppError `not_found`, `invalid_request`
 */
export async function evaluateForm(
  deps: ActionsDeps,
  actor: Actor,
  identifier: string,
  body: FormBody,
): Promise<FormState> {
  return buildFormState(deps, actor, await runnable(deps, actor, identifier), body);
}

/** Like `evaluateForm`, for an action already read. @throws AppError as `evaluateForm` */
export async function buildFormState(
  deps: ActionsDeps,
  actor: Actor,
  action: SelfServiceAction,
  body: FormBody,
): Promise<FormState> {
  const { definition } = action;
  const entity = body.entity ? await entityFor(deps, actor, action, body.entity) : null;
  const { values, issues, context, time } = await resolveInputs(deps, actor, action, body.properties, entity);
  const unmet = await conditionIssues(deps, actor, action, entity);
  const subject = await buildSubject(deps, actor, action, entity, values);
  const approval = approvalRule(definition);
  return {
    // values come from JSON or jq
    values: values as FormState['values'],
    ...describeForm(definition.trigger.userInputs, context, time),
    issues: [...unmet, ...issues].map(({ path, message }) => ({ path, message })),
    mayRun: await mayExecute(deps, actor, subject),
    ...(approval
      ? {
          approval: {
            ...approval,
            ...(body.withApprovers ? { approvers: await listApprovers(deps, actor, subject) } : {}),
          },
        }
      : {}),
  };
}
