import { randomUUID } from 'node:crypto';
import { cancelInvocation, getInvocation, getInvocationEvidence } from '@portolan/contract/assistant-operations';
import type { Client } from '@portolan/contract/client';
import { evalLabels } from '@portolan/contract/evaluation';
import type { InvocationEvidence } from '@portolan/contract/invocation-answers';
import { followInvocation } from '../ask/follow-invocation.ts';
import type { EvalCase } from './read-cases.ts';
import type { AnswerRun, Transcript } from './transcript.ts';
import type { Variant } from './variant.ts';

export interface AskInput {
  readonly client: Client;
  /** Of the whole evaluation; a label of each of its invocations. */
  readonly run: string;
  readonly signal: AbortSignal;
  readonly wait: (ms: number) => Promise<void>;
}

/**
 * Asks a case and reads what became of it. The mode is always `Manual Approval`, which an agent cannot loosen: whatever
 * is asked, actions are drafted and nothing is executed.
 * @throws ApiError for a refused request
 */
export async function askCase(asking: AskInput, asked: EvalCase, variant: Variant): Promise<Transcript> {
  const { client, run, signal, wait } = asking;
  const identifier = randomUUID();
  const agent = variant.agent ?? asked.agent;
  const systemPrompt = variant.prompt?.text ?? asked.setup.systemPrompt;
  const events = followInvocation({
    client,
    identifier,
    signal,
    wait,
    onBreak: () => {},
    request: {
      userPrompt: asked.question,
      executionMode: 'Manual Approval',
      labels: { [evalLabels.run]: run, [evalLabels.case]: asked.identifier },
      ...(agent === undefined ? {} : { agent }),
      ...(systemPrompt === undefined ? {} : { systemPrompt }),
      ...(asked.setup.tools === undefined ? {} : { tools: asked.setup.tools }),
      ...variant.model,
    },
  });
  try {
    for await (const event of events) if (event.event === 'done') break;
  } catch (error) {
    // nobody reads the answer any more; the server may not know the question yet
    if (signal.aborted) {
      await client.call(cancelInvocation, { params: { invocation_identifier: identifier } }).catch(() => {});
    }
    throw error;
  }
  return readTranscript(client, identifier);
}

async function readTranscript(client: Client, identifier: string): Promise<Transcript> {
  const params = { invocation_identifier: identifier };
  const [{ result }, { evidence }] = await Promise.all([
    client.call(getInvocation, { params }),
    client.call(getInvocationEvidence, { params }),
  ]);
  const { usage, runs = [] } = result;
  const { provider, model } = evidence.invocation;
  // no language model, nothing to pay
  const costUsd = usage?.isLanguageModel === false ? 0 : (usage?.costUsd ?? null);
  return {
    invocation: identifier,
    answer: result.message ?? '',
    ...(result.error === undefined ? {} : { error: result.error }),
    provider,
    model,
    toolCalls: evidence.toolCalls.map(({ name, arguments: given }) => ({ name, arguments: given })),
    runs: [
      ...runs.map(({ runId: id, action, entity, mode }) => ({
        id,
        action,
        entity,
        mode,
        ...readDetails(evidence, id),
      })),
      ...readToldRuns(evidence, new Set(runs.map(({ runId }) => runId))),
    ],
    durationMs: usage?.durationMs ?? 0,
    costUsd,
  };
}

function readDetails(evidence: InvocationEvidence, id: string): Pick<AnswerRun, 'properties' | 'inputsHash'> {
  const run = evidence.runs.find((each) => each.run.id === id)?.run;
  const isOpen = run?.status === 'DRAFT' && run.draft !== undefined;
  return { properties: run?.properties ?? {}, ...(isOpen && run.draft ? { inputsHash: run.draft.inputsHash } : {}) };
}

/** Runs that tools told of and that are not listed, as for a token that may not read actions. */
function readToldRuns({ toolCalls }: InvocationEvidence, listed: ReadonlySet<string>): AnswerRun[] {
  return toolCalls.flatMap(({ name, result = '' }) => {
    const [, mode] = /^\s*\{\s*"mode":\s*"(draft|executed)"/.exec(result) ?? [];
    const [, id = ''] = /"runId":\s*"([^"]{1,200})"/.exec(result) ?? [];
    if (mode === undefined || !name.startsWith('run_') || listed.has(id)) return [];
    return [{ id, action: name.slice('run_'.length), entity: null, mode: mode as AnswerRun['mode'], properties: {} }];
  });
}
