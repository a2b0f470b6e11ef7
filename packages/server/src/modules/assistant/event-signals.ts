import sql from 'sql-template-tag';
import type { Database } from '../../platform/db/database.ts';
import { newUuid } from '../../platform/ids.ts';
import { createThrottle } from '../../platform/jobs/throttle.ts';

/** An invocation, as processes name it to each other. */
export type InvocationKey = readonly [orgId: string, invocationId: string];

/** What processes tell each other of event streams. Where no other process can be, nothing is told. */
export interface EventSignals {
  /** Begins to hear; from when it resolves on nothing is missed, unless `onGap` is called. */
  listen(): Promise<void>;
  /** This process wants to hear when more is stored. Heard for a while: say it again. */
  follow(keys: readonly InvocationKey[]): void;
  /** More is stored. */
  stored(key: InvocationKey): void;
  close(): Promise<void>;
}

export interface SignalHandlers {
  /** Another process follows. */
  readonly onFollow: (key: InvocationKey) => void;
  /** Another process has stored more. */
  readonly onStored: (key: InvocationKey) => void;
  /** Something may not have been heard. */
  readonly onGap: () => void;
}

const channel = 'invocation_events';
/** Gathers what is told meanwhile: notifying commits of one database wait for each other. */
const gatherMs = 40;
/** PostgreSQL takes 8,000 bytes. */
const keyBytesMax = 7_500;

interface Told {
  readonly from: string;
  readonly follow?: readonly InvocationKey[];
  readonly stored?: readonly InvocationKey[];
}

export function createEventSignals(
  { database, log }: { readonly database: Database; readonly log: { warn(context: object, message: string): void } },
  { onFollow, onStored, onGap }: SignalHandlers,
): EventSignals {
  const own = newUuid();
  const isShared = database.engine.kind === 'postgres';
  const unsent = { follow: new Map<string, InvocationKey>(), stored: new Map<string, InvocationKey>() };
  let listening: Promise<() => Promise<void>> | undefined;
  let isClosed = false;

  const send = createThrottle(gatherMs, () => {
    const payloads = (['follow', 'stored'] as const).flatMap((kind) => {
      const keys = [...unsent[kind].values()];
      unsent[kind].clear();
      return inGroups(keys).map((group) => JSON.stringify({ from: own, [kind]: group }));
    });
    if (payloads.length === 0) return;
    database
      .rows(sql`select pg_notify(${channel}, payload) from unnest(${payloads}::text[]) payload`)
      .catch((error: unknown) => {
        log.warn({ error }, 'other replicas could not be told of events; their readers see them at the next look');
      });
  });
  const tell = (kind: 'follow' | 'stored', keys: readonly InvocationKey[]): void => {
    if (!isShared || isClosed) return;
    for (const key of keys) unsent[kind].set(key.join('/'), key);
    send.ask();
  };
  const hear = (payload: string): void => {
    const { from, follow = [], stored = [] } = JSON.parse(payload) as Told;
    if (from === own) return;
    for (const key of follow) onFollow(key);
    for (const key of stored) onStored(key);
  };

  return {
    async listen() {
      if (!isShared || isClosed) return;
      listening ??= database.engine.listen(channel, hear, onGap);
      try {
        await listening;
      } catch (error) {
        // the next one who follows or runs tries again, and until then readers see events at the next look
        listening = undefined;
        log.warn({ error }, 'what other replicas store cannot be heard');
      }
    },
    follow: (keys) => tell('follow', keys),
    stored: (key) => tell('stored', [key]),
    async close() {
      isClosed = true;
      send.stop();
      const stop = await listening?.catch(() => undefined);
      await stop?.();
    },
  };
}

function inGroups(keys: readonly InvocationKey[]): (readonly InvocationKey[])[] {
  const groups: InvocationKey[][] = [];
  let bytes = Number.POSITIVE_INFINITY;
  for (const key of keys) {
    const more = Buffer.byteLength(JSON.stringify(key)) + 1;
    bytes += more;
    if (bytes > keyBytesMax) {
      groups.push([]);
      bytes = more;
    }
    groups.at(-1)!.push(key);
  }
  return groups;
}
