import { setTimeout as sleep } from 'node:timers/promises';
import { decodeEventStream, type ServerSentEvent } from '@portolan/contract/invocation-stream-decoder';
import { send, type TimedAnswer } from '../harness/replicas.ts';

/** What became of one request that was sent once. */
export interface Sent {
  readonly kind: 'write' | 'read';
  /** Of the entity that was to be made. */
  readonly identifier: string | undefined;
  readonly begunMs: number;
  readonly endedMs: number;
  /** 0 when the transport failed. */
  readonly status: number;
  readonly hasRetryAfter: boolean;
  /** The caller was told that it may have happened, or was told nothing. */
  readonly isUnknown: boolean;
  readonly text: string;
}

export interface Stream {
  readonly id: string;
  readonly events: readonly ServerSentEvent[];
  readonly connections: number;
  /** Why it could not be read to its end. */
  readonly problem: string | undefined;
}

export interface Load {
  readonly sent: readonly Sent[];
  readonly streams: readonly Stream[];
  /** How many streams are open now. */
  open(): number;
  /** How many requests wait for their answer now. */
  pending(): number;
  /** Resolves when every request was answered and every stream read to its end. */
  end(): Promise<void>;
}

export interface LoadOptions {
  readonly ports: readonly number[];
  readonly token: string;
  readonly writers: number;
  readonly readers: number;
  readonly streams: number;
  /** Of each caller between two requests. */
  readonly pauseMs: number;
}

export const blueprint = 'service';
const entities = `/v1/blueprints/${blueprint}/entities`;
const reads = [`/v1/blueprints/${blueprint}`, `${entities}?limit=20`, '/v1/pages', `${entities}/first`];
/** How often a reader asks for the rest of a stream, and the pause between. */
const connectionsMax = 60;

/** Callers that repeat nothing, each at one replica; readers of streams go on where they were, at another one. */
export function beginLoad({ ports, token, writers, readers, streams, pauseMs }: LoadOptions): Load {
  const sent: Sent[] = [];
  const told: Stream[] = [];
  let isEnding = false;
  let open = 0;
  let pending = 0;
  const portAt = (index: number): number => ports[index % ports.length] as number;

  const note = async (kind: Sent['kind'], identifier: string | undefined, make: () => Promise<TimedAnswer>) => {
    const begunMs = Date.now();
    pending += 1;
    const answer = await make().catch((error: Error) => error);
    pending -= 1;
    const lost = answer instanceof Error;
    const text = lost ? answer.message : answer.status < 300 ? '' : answer.body.slice(0, 300);
    sent.push({
      ...{ kind, identifier, begunMs, endedMs: Date.now(), text },
      status: lost ? 0 : answer.status,
      hasRetryAfter: !lost && /^[1-9]\d*$/.test(String(answer.headers['retry-after'])),
      isUnknown: lost || text.includes('"outcome":"unknown"'),
    });
    await sleep(pauseMs);
  };

  const write = async (caller: number): Promise<void> => {
    for (let count = 0; !isEnding; count += 1) {
      const identifier = `w-${caller}-${count}`;
      const body = { identifier, title: identifier, properties: { size: count }, relations: { system: 'all' } };
      await note('write', identifier, () => send(portAt(caller), 'POST', entities, { token, body }));
    }
  };
  const read = async (caller: number): Promise<void> => {
    for (let count = 0; !isEnding; count += 1) {
      const path = reads[count % reads.length] as string;
      await note('read', undefined, () => send(portAt(caller), 'GET', path, { token }));
    }
  };
  const ask = async (caller: number): Promise<void> => {
    // begun one after another, so that each event finds them at every place
    await sleep((caller / Math.max(1, streams)) * 10_000);
    for (let count = 0; !isEnding; count += 1) {
      open += 1;
      told.push(await follow(`s-${caller}-${count}`, (turn) => portAt(caller + turn), token));
      open -= 1;
    }
  };

  const all = Promise.all([
    ...Array.from({ length: writers }, (_, caller) => write(caller)),
    ...Array.from({ length: readers }, (_, caller) => read(caller)),
    ...Array.from({ length: streams }, (_, caller) => ask(caller)),
  ]);
  return {
    sent,
    streams: told,
    open: () => open,
    pending: () => pending,
    end: async () => {
      isEnding = true;
      await all;
    },
  };
}

/** Asks, and reads to `done` over as many connections as it takes. */
export async function follow(id: string, portAt: (turn: number) => number, token: string): Promise<Stream> {
  const events: ServerSentEvent[] = [];
  let problem: string | undefined;
  let connections = 0;
  while (events.at(-1)?.event !== 'done' && connections < connectionsMax) {
    const last = events.at(-1)?.id;
    const url = `http://127.0.0.1:${portAt(connections)}/v1/ai/invoke?invocation_identifier=${id}`;
    connections += 1;
    try {
      const answer = await fetch(url, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${token}`,
          'content-type': 'application/json',
          ...(last === undefined ? {} : { 'last-event-id': last }),
        },
        body: JSON.stringify({ userPrompt: 'Tell me everything' }),
      });
      if (!answer.ok || !answer.body) throw new Error(`${answer.status} ${(await answer.text()).slice(0, 200)}`);
      problem = undefined;
      for await (const event of decodeEventStream(answer.body as unknown as AsyncIterable<Uint8Array>)) {
        events.push(event);
      }
    } catch (error) {
      problem = (error as Error).message;
    }
    if (events.at(-1)?.event !== 'done') await sleep(1_000);
  }
  return { id, events, connections, problem: events.at(-1)?.event === 'done' ? undefined : (problem ?? 'no end') };
}

/** What is wrong with a stream beside one that nothing disturbed. */
export function streamProblem({ id, events, problem }: Stream, undisturbed: Stream): string | undefined {
  if (problem !== undefined) return `${id}: ${problem}`;
  const failed = events.find(({ event }) => event === 'error');
  if (failed) return `${id}: failed: ${failed.data.slice(0, 200)}`;
  const isWhole = events.every((event, index) => event.id === `${id}:${index + 1}`);
  if (!isWhole) return `${id}: events are missing, doubled or out of order`;
  return said(events) === said(undisturbed.events) ? undefined : `${id}: says something else than an undisturbed one`;
}

/** Without the identifier and the figures that differ from run to run. */
function said(events: readonly ServerSentEvent[]): string {
  return events
    .filter(({ event }) => !['invocationIdentifier', 'done'].includes(event))
    .map(({ event, data }) => `${event} ${data}`)
    .join('\n');
}
