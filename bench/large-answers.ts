import { rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  newDataDir,
  type ProductProcess,
  readCredentials,
  startProduct,
} from '../packages/server/test/product-process.ts';

// npm run large -w @portolan/bench [-- calls answers]: answers of a model with very many tool calls, `/health` meanwhile,
// kill -9 in the middle, and how soon the next start is ready. On the embedded database.
const [calls = 10_000, answers = 5] = process.argv.slice(2).map(Number);

const call = (index: number): string =>
  JSON.stringify({
    index,
    id: `call_${index}`,
    function: { name: 'list_entities', arguments: '{"blueprint":"service"}' },
  });
const chunk = (delta: string, finish: string | null): string =>
  `data: {"choices":[{"index":0,"delta":${delta},"finish_reason":${finish === null ? null : `"${finish}"`}}]}\n\n`;
const large = [
  chunk('{"role":"assistant","content":"Looking."}', null),
  ...Array.from({ length: calls }, (_, index) => chunk(`{"tool_calls":[${call(index)}]}`, null)),
  chunk('{}', 'tool_calls'),
  'data: [DONE]\n\n',
].join('');

/** Sends the large answer, or stops in the middle of one that is not too large. */
let stalls = false;
const model = createServer((request, response) => {
  request.resume();
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  if (stalls) return void response.write(chunk('{"content":"Half an ans"}', null));
  response.end(large);
});
await new Promise<void>((resolve) => model.listen(0, '127.0.0.1', resolve));
const environment = {
  PORTOLAN_DEMO: '0',
  PORTOLAN_LLM_PROVIDER: 'openai-compatible',
  PORTOLAN_LLM_BASE_URL: `http://127.0.0.1:${(model.address() as AddressInfo).port}/v1`,
};

async function fetchToken({ url, dataDir }: ProductProcess): Promise<string> {
  const body = JSON.stringify(await readCredentials(dataDir));
  const headers = { 'content-type': 'application/json' };
  const answer = await fetch(`${url}/v1/auth/access_token`, { method: 'POST', headers, body });
  return ((await answer.json()) as { accessToken: string }).accessToken;
}

function ask({ url }: ProductProcess, token: string): Promise<Response> {
  const headers = { 'content-type': 'application/json', authorization: `Bearer ${token}` };
  const body = JSON.stringify({ userPrompt: 'Which services are there?' });
  return fetch(`${url}/v1/ai/invoke`, { method: 'POST', headers, body });
}

/** Asks every ten milliseconds until told to stop; answers the times, sorted. */
function probe({ url }: ProductProcess): () => Promise<number[]> {
  const times: number[] = [];
  let isOver = false;
  const probing = (async () => {
    while (!isOver) {
      const begun = performance.now();
      await (await fetch(`${url}/health`)).text();
      times.push(performance.now() - begun);
      await sleep(10);
    }
  })();
  return async () => {
    isOver = true;
    await probing;
    return times.sort((a, b) => a - b);
  };
}

const at = (times: readonly number[], share: number): number =>
  Math.round((times[Math.min(times.length - 1, Math.floor(times.length * share))] ?? 0) * 10) / 10;
const summary = (times: readonly number[]) => ({
  probes: times.length,
  p50: at(times, 0.5),
  p99: at(times, 0.99),
  max: at(times, 1),
});

const dataDir = await newDataDir();
try {
  const first = await startProduct(dataDir, environment);
  const token = await fetchToken(first);
  const idle = probe(first);
  await sleep(2_000);
  const quiet = summary(await idle());
  const stop = probe(first);
  const begun = performance.now();
  const texts = await Promise.all(Array.from({ length: answers }, async () => (await ask(first, token)).text()));
  const answersMs = Math.round(performance.now() - begun);
  await sleep(500);
  const during = summary(await stop());
  stalls = true;
  const leftovers = 50;
  await Promise.all(Array.from({ length: leftovers }, () => ask(first, token)));
  await first.kill('SIGKILL');
  const startedMs = performance.now();
  const second = await startProduct(dataDir, environment);
  await (await fetch(`${second.url}/ready`)).text();
  const readyMs = Math.round(performance.now() - startedMs);
  const after = probe(second);
  await sleep(3_000);
  const sweeping = summary(await after());
  await second.kill('SIGKILL');
  const failed = texts.filter((text) => text.includes('invocation_limit_reached')).length;
  const result = { calls, answers, failed, answersMs, leftovers, readyMs, healthMs: { quiet, during, sweeping } };
  console.log(JSON.stringify(result, null, 2));
} finally {
  model.closeAllConnections();
  model.close();
  await rm(dataDir, { recursive: true, force: true });
}
