import { mapEvent, mappingEvaluator, mappingMillisecondsMax } from '@portolan/jq';
import { browserRegexEngine } from './browser-regex.ts';
import type { TrialAnswer, TrialRequest } from './trial-messages.ts';

/** Evaluates mappings beside the page, which stays quick whatever an expression does and ends this worker if need be. */
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
