import { eventStream, type Handler, json, scriptedFetch } from './scripted-fetch.ts';

export interface ScriptedEvaluation {
  readonly cases?: readonly object[];
  readonly answer?: (question: string) => string;
  readonly cost?: number | null;
  readonly more?: Readonly<Record<string, Handler>>;
}

const usage = { inputTokens: 1, outputTokens: 1, steps: 1, toolCalls: 0, unreportedSteps: 0, durationMs: 20 };
export const asking = 'POST /v1/ai/invoke';

/** A server with cases and a model, `openai/gpt`, and how many were answered at once at most. */
export function scriptedEvaluation({ cases = [], answer = () => 'yes', cost = 0.5, more = {} }: ScriptedEvaluation) {
  const questions = new Map<string, string>();
  const load = { now: 0, most: 0 };
  const scripted = scriptedFetch({
    'GET /v1/blueprints/ai_eval_case/entities': () => json({ ok: true, entities: cases }),
    [asking]: async ({ query, body }) => {
      const id = query['invocation_identifier'] ?? '';
      questions.set(id, (body as { userPrompt: string }).userPrompt);
      load.now += 1;
      load.most = Math.max(load.most, load.now);
      await new Promise((resolve) => setTimeout(resolve, 5));
      load.now -= 1;
      return eventStream([{ id: `${id}:1`, event: 'done', data: { status: 'Completed' } }]);
    },
    'GET /v1/ai/invoke/{id}': ({ call }) => {
      const id = call.split('/').at(-1) ?? '';
      const message = answer(questions.get(id) ?? '');
      const result = { status: 'Completed', message, invocationIdentifier: id };
      return json({ ok: true, result: { ...result, usage: { ...usage, isLanguageModel: true, costUsd: cost } } });
    },
    'GET /v1/ai/invocations/{id}/evidence': () =>
      json({ ok: true, evidence: { invocation: { provider: 'openai', model: 'gpt' }, toolCalls: [], runs: [] } }),
    ...more,
  });
  return { ...scripted, load };
}

export const yes = { grader: 'contains', all: ['yes'] };
export const entity = (identifier: string, properties = {}, relations = {}) => ({
  identifier,
  properties: { question: `${identifier}?`, expect: [yes], ...properties },
  relations,
});
export const some = (count: number) => Array.from({ length: count }, (_, index) => entity(`c${index}`));
