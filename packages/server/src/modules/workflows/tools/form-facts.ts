import { scopesCover } from '@portolan/contract/scopes';
import { type Actor, isAdmin } from '../../../platform/actor.ts';
import { AppError } from '../../../platform/errors.ts';
import { parseAuthor, type TextAuthor } from '../../../platform/text-authors.ts';
import type { CallFacts } from '../../../platform/tools/call-decision.ts';
import { findActor } from '../../accounts/index.ts';
import { toCallInputs } from '../../actions/index.ts';
import { listAllNodes } from '../definitions/bodies.ts';
import type { DefinitionsDeps } from '../definitions/definitions.deps.ts';
import { checkStart, triggerForm } from '../definitions/start-form.ts';
import type { StoredWorkflow, WorkflowNode } from '../definitions/workflow.ts';
import { formId, ruleName } from './trigger-name.ts';

type Values = Readonly<Record<string, unknown>>;

export interface CheckedStart {
  readonly workflow: StoredWorkflow;
  readonly node: WorkflowNode;
  /** As the run would get them. */
  readonly values: Values;
  /** As the model wrote them. */
  readonly given: Values;
}

/** A checked start of a workflow, as the rule for calls of assistants sees it. */
export function formFacts(
  deps: DefinitionsDeps,
  { orgId }: Pick<Actor, 'orgId'>,
  { workflow, node, values, given }: CheckedStart,
  hold: string | undefined,
): CallFacts {
  const { identifier, definition } = workflow;
  const titles = [definition.title, node.title].filter((title) => typeof title === 'string' && title !== '');
  const mayMake = async (author: TextAuthor): Promise<Actor | undefined> => {
    const who = parseAuthor(author);
    const actor = who && (await findActor(deps.database, orgId, who));
    if (!actor || !scopesCover(actor.scopes, 'execute:actions')) return undefined;
    return checkStart(deps, actor, workflow, node.identifier, given, { isFilledByModel: true }).then(
      () => actor,
      (error: unknown) => {
        if (error instanceof AppError) return undefined;
        throw error;
      },
    );
  };
  return {
    kind: 'workflow',
    identifier: ruleName(workflow, node.identifier),
    names: [identifier, ...(titles as string[])],
    isDestructive: isDestructive(workflow, node),
    inputs: toCallInputs(triggerForm(node).properties, values, given),
    action: { id: formId(workflow, node.identifier), version: workflow.version },
    hold,
    // a form within the workflow is asked of people in any case
    needsApproval: false,
    mayMake: async (author) => (await mayMake(author)) !== undefined,
    // workflows have no approvers of their own, and without any, administrators approve actions
    async mayGive(author) {
      const actor = await mayMake(author);
      return actor !== undefined && isAdmin(actor);
    },
  };
}

/**
 * Whether it deletes, its author marked it as dangerous, or it runs an action or another workflow: what those do, and with
 * which of the inputs, is theirs to change.
 */
export function isDestructive({ definition }: StoredWorkflow, { config }: WorkflowNode): boolean {
  if (config['variant'] === 'ALERT') return true;
  return deletesEntities(definition) || listAllNodes(definition).some(({ part }) => runsAnother(part));
}

export function deletesEntities(definition: StoredWorkflow['definition']): boolean {
  return listAllNodes(definition).some(({ part }) => part.config.type === 'DELETE_ENTITY');
}

function runsAnother({ config }: WorkflowNode): boolean {
  return config.type === 'RUN_ACTION' || typeof config['workflowIdentifier'] === 'string';
}
