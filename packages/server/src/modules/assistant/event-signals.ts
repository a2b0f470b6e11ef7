import { createReplicaChannel, messageBytesMax, type ReplicaChannelPorts } from '../../platform/db/replica-channel.ts';
import { createThrottle } from '../../platform/jobs/throttle.ts';

export type InvocationKey = readonly [orgId: string, invocationId: string];

/** Messages between processes about event streams. With the embedded engine there are none. */
export interface EventSignals {
  /** Resolves when listening: from then on nothing is missed, unless `onGap` is called. */
  listen(): Promise<void>;
  /** Asks other processes to announce what they store; expires, so repeat it. */
  follow(keys: readonly InvocationKey[]): void;
  stored(key: InvocationKey): void;
  close(): Promise<void>;
}

export interface SignalHandlers {
  readonly onFollow: (key: InvocationKey) => void;
  readonly onStored: (key: InvocationKey) => void;
  /** Called when messages may have been missed. */
  readonly onGap: () => void;
}

/** Gathers announcements: notifying commits of a database block each other. */
const gatherMs = 40;

interface SignalMessage {
  readonly follow?: readonly InvocationKey[];
  readonly stored?: readonly InvocationKey[];
}

export function createEventSignals(
  ports: ReplicaChannelPorts,
  { onFollow, onStored, onGap }: SignalHandlers,
): EventSignals {
  const unsent = { follow: new Map<string, InvocationKey>(), stored: new Map<string, InvocationKey>() };
  let isClosed = false;
  const channel = createReplicaChannel<SignalMessage>(ports, {
    name: 'invocation_events',
    onMessage: ({ follow = [], stored = [] }) => {
      for (const key of follow) onFollow(key);
      for (const key of stored) onStored(key);
    },
    onGap,
    // the next announcement retries
    problems: {
      hearing: 'what other replicas store cannot be heard; readers see events at the next look',
      telling: 'other replicas could not be told of events; their readers see them at the next look',
    },
  });

  const send = createThrottle(gatherMs, () => {
    const told = (['follow', 'stored'] as const).flatMap((kind) => {
      const keys = [...unsent[kind].values()];
      unsent[kind].clear();
      return inGroups(keys).map((group): SignalMessage => ({ [kind]: group }));
    });
    channel.tell(told);
  });
  const tell = (kind: 'follow' | 'stored', keys: readonly InvocationKey[]): void => {
    if (isClosed) return;
    for (const key of keys) unsent[kind].set(key.join('/'), key);
    send.ask();
  };

  return {
    listen: async () => void (await channel.listen()),
    follow: (keys) => tell('follow', keys),
    stored: (key) => tell('stored', [key]),
    async close() {
      isClosed = true;
      send.stop();
      await channel.close();
    },
  };
}

function inGroups(keys: readonly InvocationKey[]): (readonly InvocationKey[])[] {
  const groups: InvocationKey[][] = [];
  let bytes = Number.POSITIVE_INFINITY;
  for (const key of keys) {
    const more = Buffer.byteLength(JSON.stringify(key)) + 1;
    bytes += more;
    if (bytes > messageBytesMax) {
      groups.push([]);
      bytes = more;
    }
    groups.at(-1)!.push(key);
  }
  return groups;
}
