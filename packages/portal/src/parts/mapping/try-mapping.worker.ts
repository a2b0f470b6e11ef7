import { mapEvent, mappingEvaluator, mappingMillisecondsMax } from '@portolan/jq';
import { browserRegexEngine } from './browser-regex.ts';
import type { TrialAnswer, TrialRequest } from './trial-messages.ts';

/** Evaluates mappings in a worker, so that a slow expression does not block the page and can be terminated. */
const evaluate = mappingEvaluator(browserRegexEngine);

addEventListener('message', ({ data }: MessageEvent<TrialRequest>) => {
  void answer(data);
});

async function answer({ id, mappings, event, at }: TrialRequest): Promise<void> {
  const until = performance.now() + mappingMillisecondsMax;
  const context = { evaluate, now: new Date(at), isOver: async () => performance.now() > until };
  const results: TrialAnswer['results'][number][] = [];
  for (const mapping of mappings) results.push(await mapEvent(mapping, event, context));
  postMessage({ id, results } satisfies TrialAnswer);
}
