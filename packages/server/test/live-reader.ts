import { createEventDecoder, type ServerSentEvent } from '@portolan/contract/invocation-stream-decoder';
import type { LiveChange } from '@portolan/contract/live';
import { expect } from 'vitest';

/** A reader of the stream, from after its first event. */
export async function followLive(
  at: string,
  token: string,
  headers: Readonly<Record<string, string>> = {},
  { since }: { readonly since?: number } = {},
) {
  const leave = new AbortController();
  const answer = await fetch(`${at}/v1/events${since === undefined ? '' : `?since=${since}`}`, {
    headers: { authorization: `Bearer ${token}`, ...headers },
    signal: leave.signal,
  });
  expect(answer.status).toBe(200);
  const chunks = answer.body?.getReader();
  const decoder = createEventDecoder();
  const waiting: ServerSentEvent[] = [];
  const seen: ServerSentEvent[] = [];
  const next = async (): Promise<ServerSentEvent | undefined> => {
    while (waiting.length === 0) {
      const part = await chunks?.read();
      if (!part || part.done) return undefined;
      waiting.push(...decoder.push(part.value));
    }
    const event = waiting.shift();
    if (event) seen.push(event);
    return event;
  };
  const ready = await next();
  expect(ready?.event).toBe('ready');
  return {
    lastId: () => seen.at(-1)?.id ?? '',
    next,
    seen,
    leave: () => leave.abort(),
    /** Reads on until a change to a thing of this identifier, and of this kind if one is named, is told. */
    until: async (identifier: string, resource?: LiveChange['resource']): Promise<LiveChange> => {
      for (;;) {
        const event = await next();
        if (!event) throw new Error(`The stream ended before ${identifier}`);
        if (event.event !== 'changes') continue;
        const found = (JSON.parse(event.data).changes as LiveChange[]).find(
          (each) => each.identifier === identifier && (resource === undefined || each.resource === resource),
        );
        if (found) return found;
      }
    },
    told: () =>
      seen.flatMap(({ event, data }) => (event === 'changes' ? (JSON.parse(data).changes as LiveChange[]) : [])),
  };
}
