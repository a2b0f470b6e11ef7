import { parentPort } from 'node:worker_threads';
import { evaluateItem } from './batch/evaluate-item.ts';
import type { WorkAnswer, WorkRequest } from './batch/messages.ts';
import { createRegexEngine } from './regex/linear-engine.ts';
import { createV8Engine } from './regex/v8-engine.ts';

/** The thread of the batch runner. It gets no environment and no input except the items sent to it. */
const regex = createRegexEngine(createV8Engine());

parentPort?.on('message', ({ id, items, budget, firstOnly, progress }: WorkRequest) => {
  const results = items.map((item) => {
    const result = evaluateItem(item, budget, firstOnly, regex);
    Atomics.add(progress, 0, 1);
    return result;
  });
  const answer: WorkAnswer = { id, results };
  try {
    parentPort!.postMessage(answer);
  } catch (error) {
    const message = `result cannot be sent: ${error instanceof Error ? error.message : 'unknown'}`;
    const failed = results.map(() => ({ ok: false as const, error: { kind: 'internal' as const, message } }));
    parentPort!.postMessage({ id, results: failed });
  }
});

parentPort?.postMessage('ready');
