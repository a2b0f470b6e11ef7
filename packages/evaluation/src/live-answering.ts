import { evalLabels, type GraderOf } from '@portolan/contract/evaluation';
import type { InvocationEvidence } from '@portolan/contract/invocation-answers';
import type { Answering, EvaluationApi } from './answering.ts';
import type { Gold } from './grade-answer.ts';
import { judgedCharactersMax, readVerdict, writeJudgePrompt } from './judge.ts';
import type { AnswerRun, Transcript } from './transcript.ts';

/**
 * Asks the assistant. The mode is always `Manual Approval`, which an agent cannot loosen: whatever is asked, actions are
 * drafted and nothing is executed.
 * @param run of the whole evaluation; a label of each of its invocations
 */
export function liveAnswering(api: EvaluationApi, run: string): Answering {
  return {
    ask: ({ asked, variant }, signal) => {
      const agent = variant.agent ?? asked.agent;
      const systemPrompt = variant.prompt?.text ?? asked.setup.systemPrompt;
      return ask(api, signal, {
        userPrompt: asked.question,
        labels: { [evalLabels.run]: run, [evalLabels.case]: asked.identifier },
        ...(agent === undefined ? {} : { agent }),
        ...(systemPrompt === undefined ? {} : { systemPrompt }),
        ...(asked.setup.tools === undefined ? {} : { tools: asked.setup.tools }),
        ...variant.model,
      });
    },
    judge: async ({ asked, grader, answer }, signal) => {
      if (answer.length + asked.question.length + grader.rubric.length > judgedCharactersMax) {
        const nobody = { invocation: '', provider: '', model: '', costUsd: 0 };
        return { ...nobody, verdict: 'cannot tell', reason: 'the answer is too long for a judge' };
      }
      const { rubric, agent, provider, model } = grader;
      const transcript = await ask(api, signal, {
        userPrompt: writeJudgePrompt(rubric, asked.question, answer, api.newIdentifier()),
        tools: [],
        labels: { [evalLabels.run]: run, [evalLabels.case]: asked.identifier, [evalLabels.judge]: 'yes' },
        ...(agent === undefined ? {} : { agent }),
        ...(model === undefined ? {} : { model }),
        ...(provider === undefined ? {} : { provider }),
      });
      return readVerdict(grader, transcript);
    },
    // whoever may ask need not be one who decides; nothing runs either way
    decline: ({ id, inputsHash = '' }) =>
      api.declineDraft(id, inputsHash).then(
        () => true,
        () => false,
      ),
    search: (grader) => search(api, grader),
    explainRefusal: api.explainRefusal,
  };
}

type Request = Omit<Parameters<EvaluationApi['ask']>[1], 'executionMode'>;

async function ask(api: EvaluationApi, signal: AbortSignal, request: Request): Promise<Transcript> {
  const identifier = api.newIdentifier();
  try {
    await api.ask(identifier, { ...request, executionMode: 'Manual Approval' }, signal);
  } catch (error) {
    // nobody reads the answer any more; the server may not know the question yet
    if (signal.aborted) await api.cancel(identifier).catch(() => {});
    throw error;
  }
  return readTranscript(api, identifier);
}

async function readTranscript(api: EvaluationApi, identifier: string): Promise<Transcript> {
  const [result, evidence] = await Promise.all([api.readInvocation(identifier), api.readEvidence(identifier)]);
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

const pageSize = 1_000;

/** Each entity by title and identifier. */
async function search(api: EvaluationApi, { blueprint, query }: GraderOf<'query'>): Promise<Gold> {
  const found: (readonly string[])[] = [];
  let from: string | undefined;
  do {
    const { entities, next } = await api.search(blueprint, {
      ...(query === undefined ? {} : { query }),
      include: ['$identifier', '$title'],
      limit: pageSize,
      ...(from === undefined ? {} : { from }),
    });
    for (const { identifier = '', title } of entities) found.push(title ? [title, identifier] : [identifier]);
    from = next;
  } while (from !== undefined);
  return found;
}
