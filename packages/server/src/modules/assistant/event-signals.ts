import { createReplicaChannel, messageBytesMax, type ReplicaChannelPorts } from '../../platform/db/replica-channel.ts';
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

/** Gathers what is told meanwhile: notifying commits of one database wait for each other. */
const gatherMs = 40;

interface Told {
  readonly follow?: readonly InvocationKey[];
  readonly stored?: readonly InvocationKey[];
}

export function createEventSignals(
  ports: ReplicaChannelPorts,
  { onFollow, onStored, onGap }: SignalHandlers,
): EventSignals {
  const unsent = { follow: new Map<string, InvocationKey>(), stored: new Map<string, InvocationKey>() };
  let isClosed = false;
  const channel = createReplicaChannel<Told>(ports, {
    name: 'invocation_events',
    onMessage: ({ follow = [], stored = [] }) => {
      for (const key of follow) onFollow(key);
      for (const key of stored) onStored(key);
    },
    onGap,
    // until the next one who follows or runs tries again
    problems: {
      hearing: 'what other replicas store cannot be heard; readers see events at the next look',
      telling: 'other replicas could not be told of events; their readers see them at the next look',
    },
  });

  const send = createThrottle(gatherMs, () => {
    const told = (['follow', 'stored'] as const).flatMap((kind) => {
      const keys = [...unsent[kind].values()];
      unsent[kind].clear();
      return inGroups(keys).map((group): Told => ({ [kind]: group }));
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
