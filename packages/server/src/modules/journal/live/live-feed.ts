import type { LiveChange } from '@portolan/contract/live';
import { Counter, Gauge, type Metric } from 'prom-client';
import type { Tx } from '../../../platform/db/database.ts';
import {
  createReplicaChannel,
  messageBytesMax,
  type ReplicaChannelPorts,
} from '../../../platform/db/replica-channel.ts';
import { createThrottle } from '../../../platform/jobs/throttle.ts';
import type { DomainRecord } from '../../../platform/unit-of-work.ts';
import { ChangeSet, toLiveChange } from './change.ts';

export interface LiveReader {
  /** Changes since the last `take`. */
  readonly pending: ChangeSet;
  /** Resolves on a change, on close, after `ms`, or on abort. */
  wait(ms: number, signal: AbortSignal): Promise<void>;
  leave(): void;
}

/** Notifies readers on all replicas of an organization's committed changes. */
export interface LiveFeed {
  /** Call it in the writing transaction; readers are notified after the commit. */
  tell(tx: Tx, orgId: string, records: readonly DomainRecord[]): void;
  /**
   * The same for what has no record: changes that concern one person. `ChangePorts.announcedSince` tells them to readers
   * who come back.
   */
  announce(tx: Tx, orgId: string, changes: readonly LiveChange[]): void;
  /** From its resolution on, no change is missed. */
  open(orgId: string): Promise<LiveReader>;
  /** Readers should go to another process: this one is stopping, or is drained. */
  readonly isClosed: boolean;
  readonly metrics: readonly Metric[];
  /** Sends readers away, and those who come, until it is taken back. */
  setDraining(isDraining: boolean): void;
  close(): Promise<void>;
}

/** Batching interval, which limits how often a process sends NOTIFY. */
const gatherMs = 100;
const retryMs = 5_000;
/** Bytes reserved for organization and sender in a message. */
const envelopeBytes = 200;

interface ChangeNotice {
  readonly org: string;
  /** Absent if the changes do not fit into the message. */
  readonly changes?: readonly LiveChange[];
}

/**
 * Changes are sent by NOTIFY outside the writing transactions and in batches; inside, commits would wait for one
 * another (decision 0052). Only changes that a reader has not taken yet are held in memory.
 */
export function createLiveFeed(ports: ReplicaChannelPorts): LiveFeed {
  const readers = new Map<string, Set<Reader>>();
  const unsent = new Map<string, ChangeSet>();
  const measured = createMeasures();
  let isClosed = false;
  let isDraining = false;

  const deliver = (orgId: string, give: (pending: ChangeSet) => void): void => {
    for (const reader of readers.get(orgId) ?? []) {
      give(reader.pending);
      reader.wake();
    }
  };

  /** Notices sent while disconnected are lost. */
  const loseAll = (): void => {
    for (const orgId of readers.keys()) deliver(orgId, (pending) => pending.lose('gap'));
  };

  const channel = createReplicaChannel<ChangeNotice>(ports, {
    name: 'live',
    onMessage: ({ org, changes }) =>
      deliver(org, (pending) => (changes ? pending.add(changes) : pending.lose('too-many'))),
    onGap: loseAll,
    problems: {
      hearing: 'what other replicas change cannot be heard; readers are told to read anew',
      telling: 'other replicas could not be told what changed; their readers see it when they read anew',
    },
  });

  const send = createThrottle(gatherMs, () => {
    const due = [...unsent].map(([org, set]) => [org, set.take()] as const);
    unsent.clear();
    for (const [org, { changes, gap }] of due) {
      deliver(org, (pending) => (gap === undefined ? pending.add(changes) : pending.lose(gap)));
      const fits = gap === undefined && Buffer.byteLength(JSON.stringify(changes)) <= messageBytesMax - envelopeBytes;
      channel.tell([fits ? { org, changes } : { org }]);
    }
  });

  const wakeAll = (): void => {
    for (const each of readers.values()) for (const reader of each) reader.wake();
  };

  const listen = async (): Promise<void> => {
    if (await channel.listen()) return;
    loseAll();
    setTimeout(() => void listen(), retryMs).unref();
  };

  const announce: LiveFeed['announce'] = (tx, orgId, changes) => {
    if (changes.length === 0) return;
    tx.afterCommit(() => {
      measured.changes.inc(changes.length);
      const set = unsent.get(orgId) ?? new ChangeSet();
      set.add(changes);
      unsent.set(orgId, set);
      send.ask();
    });
  };

  return {
    announce,
    metrics: measured.metrics,
    get isClosed() {
      return isClosed || isDraining;
    },
    tell: (tx, orgId, records) =>
      announce(tx, orgId, records.filter(({ isSilent }) => isSilent !== true).map(toLiveChange)),
    open: async (orgId) => {
      const reader = new Reader(() => {
        const others = readers.get(orgId);
        if (!others?.delete(reader)) return;
        measured.readers.dec();
        if (others.size === 0) readers.delete(orgId);
      });
      readers.set(orgId, (readers.get(orgId) ?? new Set()).add(reader));
      measured.readers.inc();
      if (isClosed || isDraining) reader.wake();
      await listen();
      return reader;
    },
    setDraining: (now) => {
      isDraining = now;
      wakeAll();
    },
    close: async () => {
      isClosed = true;
      send.stop();
      wakeAll();
      await channel.close();
    },
  };
}

class Reader implements LiveReader {
  readonly pending = new ChangeSet();
  readonly leave: () => void;
  #resolve: (() => void) | undefined;
  #isWoken = false;

  constructor(leave: () => void) {
    this.leave = leave;
  }

  wake(): void {
    this.#isWoken = true;
    this.#resolve?.();
  }

  wait(ms: number, signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const proceed = (): void => {
        clearTimeout(timer);
        signal.removeEventListener('abort', proceed);
        this.#resolve = undefined;
        this.#isWoken = false;
        resolve();
      };
      const timer = setTimeout(proceed, ms);
      signal.addEventListener('abort', proceed, { once: true });
      this.#resolve = proceed;
      if (this.#isWoken || signal.aborted) proceed();
    });
  }
}

function createMeasures() {
  const registers: [] = [];
  const readers = new Gauge({
    name: 'portolan_live_readers',
    help: 'Streams that are told what changes, in this process',
    registers,
  });
  const changes = new Counter({
    name: 'portolan_live_changes_total',
    help: 'Changes that this process had to tell of',
    registers,
  });
  return { readers, changes, metrics: [readers, changes] as readonly Metric[] };
}
