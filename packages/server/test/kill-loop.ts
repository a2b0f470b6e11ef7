import { decodeEventStream, type ServerSentEvent } from '@portolan/contract/invocation-stream-decoder';
import { type MockModelServer, startMockModelServer } from './mock-model-server.ts';
import { type ProductProcess, readCredentials, startProduct } from './product-process.ts';

export interface KillLoopOptions {
  readonly dataDir: string;
  /** Where the database is, if not embedded. */
  readonly environment?: Readonly<Record<string, string>>;
  readonly invocations: number;
  readonly atOnce: number;
  readonly kills: number;
  /** How long a process lives after it answers, chosen anew each time. */
  readonly aliveMs: readonly [number, number];
}

export interface KillLoopResult {
  readonly kills: number;
  /** Whose transcript is the undisturbed one. */
  readonly complete: number;
  /** Whose last events are `error` with a reason and `done`, after the beginning of the undisturbed one. */
  readonly failed: number;
  readonly reconnects: number;
  /** What should not be: broken transcripts, entities that disagree, runs in progress. */
  readonly problems: readonly string[];
  readonly seconds: number;
}

interface Transcript {
  readonly id: string;
  readonly events: ServerSentEvent[];
  reconnects: number;
}

const words = 24;

/** What the model says: two calls with a few words, then paced text. The same whenever it is asked. */
function tell(model: MockModelServer): void {
  model.respondWith(({ body }) => {
    const hasResults = JSON.stringify(body.messages).includes('"role":"tool"');
    if (!hasResults)
      return { text: 'Looking. ', calls: [{ name: 'list_blueprints' }, { name: 'no_such_tool' }], firstMs: 30 };
    return { text: Array.from({ length: words }, (_, index) => `word ${index}\n\n`), firstMs: 30, gapMs: 15 };
  });
}

/**
 * Asks a real process of the product again and again while it is killed without warning and started anew. Readers
 * reconnect where they were; in the end every transcript is the undisturbed one, or ends as failed with a reason.
 */
export async function runKillLoop(options: KillLoopOptions): Promise<KillLoopResult> {
  const startedAt = performance.now();
  const model = await startMockModelServer();
  tell(model);
  const environment = {
    PORTOLAN_DEMO: '0',
    PORTOLAN_LLM_PROVIDER: 'openai-compatible',
    PORTOLAN_LLM_BASE_URL: model.url,
    ...options.environment,
  };
  let product = await startProduct(options.dataDir, environment);
  /** Resolves to the process that answers, after a restart to the new one. */
  let alive = Promise.resolve(product);
  let kills = 0;
  let isOver = false;
  const transcripts: Transcript[] = [];

  const killer = async (): Promise<void> => {
    while (!isOver && kills < options.kills) {
      const [least, most] = options.aliveMs;
      await pause(least + Math.random() * (most - least));
      if (isOver) return;
      const old = product;
      alive = old.kill('SIGKILL').then(() => startProduct(options.dataDir, environment));
      kills++;
      product = await alive;
    }
  };

  try {
    const undisturbed = await follow('undisturbed', () => alive, options.dataDir);
    let next = 0;
    const asker = async (): Promise<void> => {
      while (next < options.invocations) transcripts.push(await follow(`run-${next++}`, () => alive, options.dataDir));
    };
    const killing = killer();
    await Promise.all(Array.from({ length: options.atOnce }, asker));
    isOver = true;
    await killing;
    const problems = [
      ...transcripts.flatMap((transcript) => findProblem(transcript, undisturbed) ?? []),
      ...(await storedProblems(product, options.dataDir, transcripts)),
    ];
    const failed = transcripts.filter(isFailed).length;
    return {
      kills,
      complete: transcripts.length - failed,
      failed,
      reconnects: transcripts.reduce((sum, { reconnects }) => sum + reconnects, 0),
      problems,
      seconds: Math.round((performance.now() - startedAt) / 1000),
    };
  } finally {
    isOver = true;
    await (await alive.catch(() => product)).kill('SIGKILL');
    await model.close();
  }
}

/** Asks, and reads to `done` over as many connections as it takes. */
async function follow(id: string, alive: () => Promise<ProductProcess>, dataDir: string): Promise<Transcript> {
  const transcript: Transcript = { id, events: [], reconnects: -1 };
  while (transcript.events.at(-1)?.event !== 'done') {
    transcript.reconnects++;
    try {
      const { url } = await alive();
      const token = await fetchToken(url, dataDir);
      const last = transcript.events.at(-1)?.id;
      const headers = last === undefined ? {} : { 'last-event-id': last };
      const path = `/v1/ai/invoke?invocation_identifier=${id}`;
      const answer = await send(url, token, 'POST', path, { userPrompt: 'Tell me everything' }, headers);
      if (!answer.ok || !answer.body) throw new Error(`${answer.status} ${await answer.text()}`);
      const body = answer.body as unknown as AsyncIterable<Uint8Array>;
      for await (const event of decodeEventStream(body)) transcript.events.push(event);
    } catch (error) {
      if (!isConnectionLost(error)) throw error;
    }
    if (transcript.events.at(-1)?.event !== 'done') await pause(50);
  }
  return transcript;
}

/** What a killed process looks like from outside; every answer of a living one counts. */
function isConnectionLost(error: unknown): boolean {
  return error instanceof TypeError && /fetch failed|terminated/.test(error.message);
}

async function fetchToken(url: string, dataDir: string): Promise<string> {
  const answer = await send(url, undefined, 'POST', '/v1/auth/access_token', await readCredentials(dataDir));
  return ((await answer.json()) as { accessToken: string }).accessToken;
}

function isFailed({ events }: Transcript): boolean {
  return events.some(({ event }) => event === 'error');
}

/** What was said, without the identifier and the figures that differ from run to run. */
function said({ events }: Transcript): string[] {
  return events
    .filter(({ event }) => !['invocationIdentifier', 'done', 'error'].includes(event))
    .map(({ event, data }) => `${event} ${data}`);
}

function findProblem(transcript: Transcript, undisturbed: Transcript): string | undefined {
  const { id, events } = transcript;
  const sequences = events.map((event) => event.id);
  const expected = events.map((_, index) => `${id}:${index + 1}`);
  if (sequences.join() !== expected.join())
    return `${id}: events are missing, doubled or out of order: ${sequences.join()}`;
  if (events[0]?.data !== id) return `${id}: does not begin with its identifier`;
  const [own, whole] = [said(transcript), said(undisturbed)];
  if (!isFailed(transcript))
    return own.join('\0') === whole.join('\0') ? undefined : `${id}: is not the undisturbed one`;
  const error = events.at(-2);
  if (error?.event !== 'error' || !JSON.parse(error.data).message) return `${id}: failed without a reason before done`;
  // a reader who saw nothing is told in words as well
  const told = own.at(-1)?.startsWith('execution The invocation failed') ? own.slice(0, -1) : own;
  return whole.slice(0, told.length).join('\0') === told.join('\0') ? undefined : `${id}: failed after other words`;
}

/** What can be read afterwards agrees with what was streamed. */
async function storedProblems(
  { url }: ProductProcess,
  dataDir: string,
  transcripts: readonly Transcript[],
): Promise<string[]> {
  const token = await fetchToken(url, dataDir);
  const problems: string[] = [];
  for (const transcript of transcripts) {
    const { id } = transcript;
    const path = `/v1/blueprints/_ai_invocations/entities/${id}`;
    const { entity } = (await (await send(url, token, 'GET', path)).json()) as {
      entity: { properties: { status: string; error?: string; response?: string } };
    };
    const { status, error, response } = entity.properties;
    const wanted = isFailed(transcript) ? 'Failed' : 'Completed';
    if (status !== wanted) problems.push(`${id}: the entity is ${status}, the stream ended ${wanted}`);
    if (wanted === 'Failed' && !error) problems.push(`${id}: the entity has no reason`);
    if (wanted === 'Completed' && !response?.includes(`word ${words - 1}`)) problems.push(`${id}: the answer is cut`);
  }
  return problems;
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

function send(
  url: string,
  token: string | undefined,
  method: string,
  path: string,
  body?: unknown,
  headers: Record<string, string> = {},
): Promise<Response> {
  return fetch(url + path, {
    method,
    headers: {
      'content-type': 'application/json',
      ...(token ? { authorization: `Bearer ${token}` } : {}),
      ...headers,
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
}
