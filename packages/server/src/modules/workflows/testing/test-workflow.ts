import { toRecord } from '@portolan/contract/json-value';
import type { TestedStep, WorkflowTest, WorkflowTestBody } from '@portolan/contract/workflow-test';
import type { Actor } from '../../../platform/actor.ts';
import { AppError, invalidRequest } from '../../../platform/errors.ts';
import { createSecretScope, mask } from '../../../platform/secrets/secret-scope.ts';
import { saveAuthority } from '../../accounts/index.ts';
import { encryptedInputs, resolveForm } from '../../actions/index.ts';
import type { DefinitionsDeps } from '../definitions/definitions.deps.ts';
import { createGraph, isBranching } from '../definitions/graph.ts';
import { limits } from '../definitions/limits.ts';
import { brokenConstraints, inBody, triggerForm } from '../definitions/start-form.ts';
import { findCurrent } from '../definitions/workflow.store.ts';
import type { StoredWorkflow, WorkflowDefinition, WorkflowNode } from '../definitions/workflow.ts';
import { validateWorkflow } from '../definitions/write-workflows.ts';
import { holds } from '../nodes/event-condition.ts';
import { newWorkflowRun } from '../runs/new-run.ts';
import { mapCall } from '../runs/receive-call.ts';
import { type RehearsedDeps, rehearsedKinds } from './rehearsed-kinds.ts';
import { assertFailsAt, testCompensations } from './test-compensations.ts';
import { type StepToTest, testStep } from './test-step.ts';

export type TestDeps = DefinitionsDeps & RehearsedDeps;

/**
 * Goes through a workflow with a sample, as whoever asks would save it, and leaves no trace: others are not called, and
 * what is written here is found by later steps alone.
 * @throws AppError `invalid_workflow`, `invalid_request`
 */
export async function testWorkflow(deps: TestDeps, actor: Actor, body: WorkflowTestBody): Promise<WorkflowTest> {
  const { definition, issues } = await validateWorkflow(deps, actor, body.definition);
  if (issues.length > 0) {
    throw new AppError('invalid_workflow', 'The workflow cannot be tested as it is', { details: issues });
  }
  const stored = await findCurrent(deps.database, actor.orgId, definition.identifier);
  const workflow = asSaved(actor, definition, stored, deps.clock.now());
  const trigger = triggerNamed(definition, body.trigger);
  assertFailsAt(definition, body.failAt);
  const begun = await begin(deps, actor, trigger, body.sample);
  const base = { trigger: trigger.identifier, inputs: begun.inputs as WorkflowTest['inputs'], issues: begun.issues };
  if (begun.refusal !== undefined)
    return { ...base, ended: 'NOT_STARTED', message: begun.refusal, steps: [], compensations: [] };
  return { ...base, ...(await walk(deps, actor, workflow, trigger, begun.inputs, body)) };
}

/** The definition as it would be stored now. */
function asSaved(
  actor: Actor,
  definition: WorkflowDefinition,
  stored: StoredWorkflow | undefined,
  now: Date,
): StoredWorkflow {
  return {
    key: stored?.key ?? 0,
    id: stored?.id ?? 'wf_test',
    identifier: definition.identifier,
    version: (stored?.version ?? 0) + 1,
    versionId: 'wfv_test',
    definition,
    hash: '',
    authority: saveAuthority(actor),
    textAuthors: [],
    createdAt: now,
    createdBy: actor.id,
    updatedAt: now,
    updatedBy: actor.id,
  };
}

function triggerNamed(definition: WorkflowDefinition, named: string | undefined): WorkflowNode {
  const { triggers } = createGraph(definition);
  const found = named === undefined ? undefined : triggers.find(({ identifier }) => identifier === named);
  const [only, ...others] = triggers;
  if (found) return found;
  if (named === undefined && only && others.length === 0) return only;
  const names = triggers.map(({ identifier }) => identifier).join(' or ');
  throw invalidRequest([{ path: '/trigger', message: `names one of the triggers: ${names}` }], 'The test');
}

interface Begun {
  readonly inputs: Readonly<Record<string, unknown>>;
  readonly issues: WorkflowTest['issues'];
  readonly refusal?: string;
}

async function begin(
  deps: TestDeps,
  actor: Actor,
  trigger: WorkflowNode,
  sample: WorkflowTestBody['sample'],
): Promise<Begun> {
  if (trigger.config.type === 'SELF_SERVE_TRIGGER') {
    const form = triggerForm(trigger);
    const { values, issues, context, time } = await resolveForm(deps, actor, form, sample);
    const found = [...issues, ...brokenConstraints(form, context, time)].map(inBody);
    const secret = new Set(encryptedInputs(form));
    const inputs = Object.fromEntries(
      Object.entries(values).map(([key, value]) => [key, secret.has(key) && value !== null ? mask : value]),
    );
    if (found.length === 0) return { inputs, issues: [] };
    return { inputs, issues: found, refusal: 'The form refuses these inputs' };
  }
  const now = deps.clock.now();
  if (trigger.config.type !== 'SCHEDULE_TRIGGER' && !holds(trigger.config['condition'], sample, now)) {
    return { inputs: sample, issues: [], refusal: 'The condition of the trigger does not hold for this event' };
  }
  const inputs = trigger.config.type === 'WEBHOOK_TRIGGER' ? mapCall(trigger.config, toCall(sample), now) : sample;
  return { inputs, issues: [] };
}

function toCall({ body = null, headers, queryParams }: WorkflowTestBody['sample']) {
  const texts = (value: unknown) => toRecord(value) as Readonly<Record<string, string>>;
  return { body, headers: texts(headers), queryParams: texts(queryParams) };
}

/** One step after another, as a run would take them. */
async function walk(
  deps: TestDeps,
  actor: Actor,
  workflow: StoredWorkflow,
  trigger: WorkflowNode,
  inputs: Readonly<Record<string, unknown>>,
  { pinned, failAt }: WorkflowTestBody,
): Promise<Pick<WorkflowTest, 'ended' | 'message' | 'steps' | 'compensations'>> {
  const now = deps.clock.now();
  const kinds = rehearsedKinds(deps);
  const run = newWorkflowRun(workflow, {
    triggerNode: trigger.identifier,
    trigger: inputs,
    now,
    createdBy: actor.id,
    createdByKind: actor.kind,
    depth: 0,
    causedBy: null,
    textAuthors: [],
  });
  const acting: Actor = { ...actor, opened: createSecretScope() };
  const graph = createGraph(workflow.definition);
  const outputs: Record<string, unknown> = { trigger: inputs };
  const steps: TestedStep[] = [];
  const asked = (node: WorkflowNode, taken: number): StepToTest => ({
    kinds,
    workflow,
    run: { ...run, steps: taken },
    node,
    outputs,
    actor: acting,
    now,
    pinned: pinned[node.identifier],
  });
  const done = async (ended: WorkflowTest['ended'], message: string | null = null) => {
    const unreached = failAt !== undefined && !steps.some(({ node }) => node === failAt);
    const told = unreached ? [message, `The step "${failAt}" was not reached`].filter(Boolean).join('. ') : message;
    const compensations = ended === 'FAILED' ? await testCompensations(deps, graph, steps, asked) : [];
    return { ended, message: told, steps, compensations };
  };
  let following = graph.next(trigger.identifier);
  while (following !== undefined) {
    const node = graph.node(following);
    if (!node) break;
    if (steps.length >= limits.stepsPerRun) return done('FAILED', `Stopped after ${limits.stepsPerRun} steps`);
    const { step, goesOn, endsRun } = await testStep(deps, asked(node, steps.length), failAt === node.identifier);
    steps.push(step);
    outputs[node.identifier] = step.output;
    if (endsRun) return done(endsRun, step.message);
    if (step.status === 'WAITS') return done('WAITS', step.message);
    if (step.status === 'FAILED' && !goesOn) return done('FAILED', step.message);
    following = isBranching(node) ? graph.next(node.identifier, step.outlet) : graph.next(node.identifier);
  }
  return done('SUCCESS');
}
