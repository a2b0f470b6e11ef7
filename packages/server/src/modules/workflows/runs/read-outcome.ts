import { isRecord } from '@portolan/contract/json-value';
import type { Reader } from '../../../platform/db/database.ts';
import { goesOnAfterFailure } from '../definitions/graph.ts';
import { limits } from '../definitions/limits.ts';
import type { NodeCall, NodeOutcome } from '../nodes/node-kind.ts';
import { jsonBytes, shapeOutput } from '../nodes/outputs.ts';
import type { PlannedTransition } from './commit-transition.ts';
import type { LogLine } from './transition.store.ts';
import type { StoredNodeRun } from './workflow-run.ts';

type EndedOutcome = Extract<NodeOutcome, { kind: 'ended' }>;
type WaitsOutcome = Extract<NodeOutcome, { kind: 'waits' }>;

/** An outcome as it is stored. */
export interface ReadOutcome extends Pick<PlannedTransition, 'run' | 'log'> {
  readonly nodeRun: Partial<StoredNodeRun>;
}
type StepFacts = Pick<NodeCall, 'node' | 'nodeRun' | 'run'>;

export interface ReadEnd extends ReadOutcome {
  readonly result: 'SUCCESS' | 'FAILED';
  readonly outlet: string | null;
}

/** The end of a node: with its variables applied, or failed after all because what it gave cannot be kept. */
export async function readEnd(reader: Reader, call: NodeCall, outcome: EndedOutcome): Promise<ReadEnd> {
  if (outcome.result === 'FAILED') return failedEnd(call, outcome);
  const shaped = await shapeOutput({ database: reader }, call, withoutNul(outcome.raw ?? null));
  if ('problem' in shaped) return failedEnd(call, { ...outcome, message: shaped.problem, raw: undefined });
  const { raw, output, links } = shaped;
  const bytes = call.run.bytes + jsonBytes(raw) + jsonBytes(output);
  // what is undone is undone, and nobody reads what that gave
  if (bytes > limits.outputBytesPerRun && call.nodeRun.compensates === null) {
    const message = `The steps of the run gave ${bytes} bytes, and at most ${limits.outputBytesPerRun} are kept: name what later steps need in "variables". What the step did is done`;
    return failedEnd(call, { ...outcome, message, raw: undefined });
  }
  return {
    result: 'SUCCESS',
    outlet: outcome.outlet ?? null,
    nodeRun: {
      ...inputOf(outcome),
      raw,
      output,
      links: [...call.nodeRun.links, ...(outcome.links ?? []), ...links],
      statusLabel: outcome.statusLabel ?? null,
      endsRun: outcome.endsRun ?? null,
      message: outcome.message ?? null,
    },
    run: { bytes, ...(outcome.workflowStatusLabel ? { statusLabel: outcome.workflowStatusLabel } : {}) },
    log: lines(outcome.log),
  };
}

/** The end of a node that failed, whoever made it fail. */
export function failedEnd({ node, nodeRun, run }: StepFacts, outcome: EndedOutcome): ReadEnd {
  const message = withoutNul(outcome.message ?? 'It failed') as string;
  const raw = withoutNul(outcome.raw ?? { error: { message } });
  const kept = jsonBytes(raw) > limits.outputBytesPerNode ? { error: { message } } : raw;
  return {
    result: 'FAILED',
    outlet: outcome.outlet ?? null,
    nodeRun: {
      ...inputOf(outcome),
      raw: kept,
      output: null,
      links: [...nodeRun.links, ...(outcome.links ?? [])],
      statusLabel: outcome.statusLabel ?? null,
      endsRun: outcome.endsRun ?? null,
      goesOn: outcome.goesOn ?? goesOnAfterFailure(node),
      message,
    },
    run: { bytes: run.bytes + jsonBytes(kept) },
    log: [...lines(outcome.log), { level: 'ERROR', message }],
  };
}

export function readWait(call: StepFacts, outcome: WaitsOutcome): ReadOutcome {
  const { deadlineAt } = call.run;
  const dueAt = outcome.dueAt < deadlineAt ? outcome.dueAt : deadlineAt;
  return {
    nodeRun: {
      ...inputOf(outcome),
      ...(outcome.raw === undefined ? {} : { raw: withoutNul(outcome.raw) }),
      links: [...call.nodeRun.links, ...(outcome.links ?? [])],
      externalRunId: outcome.externalRunId ?? call.nodeRun.externalRunId,
      installationId: outcome.installationId ?? null,
      responders: outcome.responders ?? null,
      dueAt,
    },
    log: lines(outcome.log),
  };
}

function inputOf({ input }: { readonly input?: unknown }): Partial<StoredNodeRun> {
  return input === undefined ? {} : { input: withoutNul(input) };
}

function lines(log: readonly string[] = []): readonly LogLine[] {
  return log.map((message) => ({ level: 'INFO', message: withoutNul(message) as string }));
}

/** The database stores no NUL in texts, and what others answer may hold one. */
export function withoutNul(value: unknown): unknown {
  if (typeof value === 'string') return value.replaceAll('\u0000', '');
  if (Array.isArray(value)) return value.map(withoutNul);
  if (!isRecord(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [withoutNul(key), withoutNul(each)]));
}
