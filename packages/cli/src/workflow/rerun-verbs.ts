import {
  pauseWorkflow,
  pauseWorkflows,
  resumeWorkflow,
  resumeWorkflows,
  type WorkflowTriggerState,
} from '@portolan/contract/workflow-pauses';
import {
  getRerunPlan,
  type RerunPlanAnswer,
  repeatCompensations,
  rerunWorkflowRun,
} from '@portolan/contract/workflow-reruns';
import { usageError } from '../cli-error.ts';
import { table } from '../output.ts';
import type { Verb } from './workflow-verb.ts';

/** Runs a run again, or says what that would do. */
export const rerunVerb =
  (readInputs: (input: Parameters<Verb>[0]) => Record<string, unknown>): Verb =>
  async (input, word) => {
    if (word === undefined) throw usageError('Which run? Name it, such as wfr_….');
    const params = { run_id: word };
    const inputs = readInputs(input);
    const hasInputs = Object.keys(inputs).length > 0;
    const from = input.text('from');
    const version = input.flag('current') ? ('current' as const) : ('same' as const);
    return async (client) => {
      if (input.flag('plan')) {
        const query = { ...(from === undefined ? {} : { from }), version, inputs_change: hasInputs };
        const { plan } = await client.call(getRerunPlan, { params, query });
        return { json: { plan }, text: inWords(plan) };
      }
      const body = {
        version,
        ...(from === undefined ? {} : { fromNodeIdentifier: from }),
        ...(hasInputs ? { inputs } : {}),
        acknowledge: [...input.list('acknowledge')],
      };
      const { run } = await client.call(rerunWorkflowRun, { params, body });
      return { json: { run }, text: `Started ${run.identifier}, which runs ${word} again.\n` };
    };
  };

/** Carries out again what a run failed to undo. */
export const compensateVerb: Verb = async (input, word) => {
  if (word === undefined) throw usageError('Which run? Name it, such as wfr_….');
  const step = input.list('step');
  const body = step.length === 0 ? {} : { nodeRunIdentifiers: [...step] };
  return async (client) => {
    const { run } = await client.call(repeatCompensations, { params: { run_id: word }, body });
    return { json: { run }, text: `${word} undoes again what it failed to undo.\n` };
  };
};

function inWords({ steps, startsAt, problem, acknowledge }: RerunPlanAnswer): string {
  if (problem !== null) return `It cannot be run again so: ${problem}.\n`;
  const rows = steps.map(({ nodeIdentifier, becomes, reason, effect }) => [
    nodeIdentifier,
    becomes,
    effect,
    reason ?? '',
  ]);
  const needed = acknowledge.map((each) => `--acknowledge ${each}`).join(' ');
  const asks = acknowledge.length === 0 ? '' : `Steps that may count twice have to be named: ${needed}\n`;
  return `It begins at "${startsAt}".\n${table(['STEP', 'BECOMES', 'EFFECT', 'WHY'], rows)}${asks}`;
}

/** Pauses the triggers of a workflow, or of all. */
export const pauseVerb: Verb = async (input, word) => {
  const reason = input.text('reason');
  const node = input.text('node');
  const why = reason === undefined ? {} : { reason };
  if (word === undefined && node !== undefined) throw usageError('Which workflow is the trigger of?');
  return async (client) => {
    const { triggers } =
      word === undefined
        ? await client.call(pauseWorkflows, { body: why })
        : await client.call(pauseWorkflow, {
            params: { identifier: word },
            body: { ...why, ...(node === undefined ? {} : { nodeIdentifier: node }) },
          });
    return { json: { triggers }, text: states(triggers) };
  };
};

/** Ends what `pause` began. */
export const resumeVerb: Verb = async (input, word) => {
  const node = input.text('node');
  if (word === undefined && node !== undefined) throw usageError('Which workflow is the trigger of?');
  return async (client) => {
    const { triggers } =
      word === undefined
        ? await client.call(resumeWorkflows, { body: {} })
        : await client.call(resumeWorkflow, {
            params: { identifier: word },
            body: node === undefined ? {} : { nodeIdentifier: node },
          });
    return { json: { triggers }, text: states(triggers) };
  };
};

function states(triggers: readonly WorkflowTriggerState[]): string {
  return table(
    ['WORKFLOW', 'TRIGGER', 'STATE', 'NEXT RUN'],
    triggers.map(({ workflowIdentifier, nodeIdentifier, published, paused, nextRunAt }) => [
      workflowIdentifier,
      nodeIdentifier,
      !published ? 'not published' : paused ? `paused: ${paused.reason ?? paused.scope}` : 'active',
      nextRunAt ?? '',
    ]),
  );
}
