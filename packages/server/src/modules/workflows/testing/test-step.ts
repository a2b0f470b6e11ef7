import type { TestedStep, WorkflowTestBody } from '@portolan/contract/workflow-test';
import type { Actor } from '../../../platform/actor.ts';
import { JsonText } from '../../../platform/db/json.ts';
import type { DomainRecord } from '../../../platform/unit-of-work.ts';
import { goesOnAfterFailure } from '../definitions/graph.ts';
import type { StoredWorkflow, WorkflowNode } from '../definitions/workflow.ts';
import { NodeFailure } from '../nodes/node-failure.ts';
import type { NodeCall, NodeKinds, NodeOutcome } from '../nodes/node-kind.ts';
import type { NodesDeps } from '../nodes/nodes.deps.ts';
import { shapeOutput } from '../nodes/outputs.ts';
import { renderSent } from '../nodes/render-node.ts';
import { runContext, withoutEncrypted } from '../nodes/run-context.ts';
import { newNodeRun } from '../runs/begin-node.ts';
import type { StoredWorkflowRun } from '../runs/workflow-run.ts';
import { findLastOutput } from './last-output.store.ts';
import { TakenBack } from './rehearsed-kinds.ts';

export interface StepToTest {
  readonly kinds: NodeKinds;
  readonly workflow: StoredWorkflow;
  readonly run: StoredWorkflowRun;
  readonly node: WorkflowNode;
  readonly outputs: Readonly<Record<string, unknown>>;
  readonly actor: Actor;
  readonly now: Date;
  readonly pinned: WorkflowTestBody['pinned'][string] | undefined;
}

interface Tested {
  readonly step: TestedStep;
  /** It failed, and the run goes on all the same. */
  readonly goesOn?: boolean;
  readonly endsRun?: 'SUCCESS' | 'FAILED' | undefined;
}

/** Takes one step of a test. */
export async function testStep(deps: NodesDeps, asked: StepToTest, isToFail = false): Promise<Tested> {
  const { node, kinds, pinned } = asked;
  const call = toCall(asked);
  const kind = kinds[node.config.type];
  const base = untried(node);
  if (isToFail) return { ...failed(base, 'It is to fail in this test'), goesOn: goesOnAfterFailure(node) };
  if (!kind) return failed(base, `Steps of type "${node.config.type}" are not supported here`);
  if (kind.effect === 'children') return answered(deps, asked, base);
  if (kind.effect === 'outside') return called(deps, asked, call, base);
  if (kind.effect === 'none') return read(deps, call, base, await kind.plan(call), pinned);
  let settled: NodeOutcome | undefined;
  try {
    const outcome = await kind.carryOut(call, async (_work, given) => {
      settled = given;
    });
    return read(deps, call, base, outcome === 'settled' ? (settled as NodeOutcome) : outcome, pinned);
  } catch (error) {
    if (!(error instanceof TakenBack) || !settled) throw error;
    return read(deps, call, { ...base, changes: changesIn(error.records) }, settled, pinned);
  }
}

/** A step of which nothing is known yet. */
export function untried({ identifier, title, config: { type } }: WorkflowNode): TestedStep {
  return {
    node: identifier,
    title: title ?? null,
    type,
    status: 'SUCCESS',
    from: 'step',
    input: null,
    output: null,
    outlet: null,
    message: null,
    waitingFor: null,
    changes: [],
  };
}

function toCall({ workflow, run, node, outputs, actor, now }: StepToTest): NodeCall {
  const nodeRun = { ...newNodeRun({ run }, { node }, now), id: `wfnr_test${run.steps}`, tries: 1 };
  return { workflow, run, nodeRun, node, outputs, actor, now, signal: new AbortController().signal };
}

/** A step that would call others: its request, and an answer from elsewhere. */
async function called(deps: NodesDeps, asked: StepToTest, call: NodeCall, base: TestedStep): Promise<Tested> {
  const { node, actor, now } = asked;
  const { type: _type, onFailure: _, retry: __, ...config } = node.config;
  let input: unknown;
  try {
    const context = withoutEncrypted(await runContext(deps, call), call);
    input = (await renderSent(deps, actor, config, context, now)).shown;
  } catch (error) {
    if (!(error instanceof NodeFailure)) throw error;
    return failed({ ...base, input: config as TestedStep['input'] }, error.message);
  }
  return answered(deps, asked, { ...base, input: input as TestedStep['input'] });
}

/** What a step gives that calls others or begins runs: the pinned answer, or the last one that it got. */
async function answered(
  { database }: NodesDeps,
  { node, actor, workflow, pinned }: StepToTest,
  shown: TestedStep,
): Promise<Tested> {
  if (pinned?.output !== undefined) return { step: { ...shown, from: 'pinned', output: pinned.output } };
  const key = { workflowKey: workflow.key, node: node.identifier, type: node.config.type };
  const last = await findLastOutput(database, actor.orgId, key);
  if (last) return { step: { ...shown, from: 'last-run', output: last.output as TestedStep['output'] } };
  const message = 'It was not carried out, and no answer of it is known: pin one to go on with it';
  return { step: { ...shown, from: 'nothing', message } };
}

/** What a step that was carried out gave, as a run would keep it. */
async function read(
  deps: NodesDeps,
  call: NodeCall,
  base: TestedStep,
  outcome: NodeOutcome,
  pinned: StepToTest['pinned'],
): Promise<Tested> {
  const step = { ...base, ...('input' in outcome ? { input: (outcome.input ?? null) as TestedStep['input'] } : {}) };
  if (outcome.kind === 'again') return failed(step, outcome.message);
  if (outcome.kind === 'waits') {
    if (pinned !== undefined || outcome.for === 'time') {
      const output = (pinned?.output ?? null) as TestedStep['output'];
      return { step: { ...step, from: 'pinned', output, outlet: pinned?.outlet ?? null, waitingFor: outcome.for } };
    }
    const message = outcome.for === 'response' ? 'It waits for a person to press a button' : 'It waits for a report';
    return { step: { ...step, status: 'WAITS', waitingFor: outcome.for, message } };
  }
  if (outcome.result === 'FAILED') {
    return { ...failed(step, outcome.message ?? 'It failed'), goesOn: outcome.goesOn ?? false };
  }
  const shaped = await shapeOutput(deps, call, outcome.raw ?? null);
  if ('problem' in shaped) return failed(step, shaped.problem);
  const output = (shaped.output ?? shaped.raw ?? null) as TestedStep['output'];
  const message = outcome.message ?? null;
  return { step: { ...step, output, outlet: outcome.outlet ?? null, message }, endsRun: outcome.endsRun };
}

function failed(step: TestedStep, message: string): Tested {
  return { step: { ...step, status: 'FAILED', message, output: { error: { message } } } };
}

/** Large ones are recorded as text. */
function plain(value: unknown): TestedStep['output'] {
  return (value instanceof JsonText ? JSON.parse(value.text) : (value ?? null)) as TestedStep['output'];
}

function changesIn(records: readonly DomainRecord[]): TestedStep['changes'] {
  return records
    .filter(({ resourceType }) => resourceType === 'entity')
    .map(({ action, identifier, context, before, after }) => ({
      action,
      blueprint: (context as { readonly blueprint?: string } | undefined)?.blueprint ?? null,
      identifier,
      before: plain(before),
      after: plain(after),
    }));
}
