import sql from 'sql-template-tag';
import { newUuid } from '../ids.ts';
import type { Database } from './database.ts';

/** PostgreSQL takes 8,000 bytes of a message, its envelope included. */
export const messageBytesMax = 7_500;

/** Messages between the processes of one database. On the embedded engine there are none. */
export interface ReplicaChannel<Message extends object> {
  /** Resolves when listening: nothing is missed from then on, unless `onGap` is called. False if it failed. */
  listen(): Promise<boolean>;
  tell(messages: readonly Message[]): void;
  close(): Promise<void>;
}

export interface ReplicaChannelPorts {
  readonly database: Database;
  readonly log: { warn(context: object, message: string): void };
}

export interface ReplicaChannelOptions<Message extends object> {
  readonly name: string;
  /** Called for messages of other processes. */
  readonly onMessage: (message: Message) => void;
  /** Called when messages may have been missed. */
  readonly onGap: () => void;
  /** Log messages for the operator when listening or sending fails. */
  readonly problems: { readonly hearing: string; readonly telling: string };
}

export function createReplicaChannel<Message extends object>(
  { database, log }: ReplicaChannelPorts,
  { name, onMessage, onGap, problems }: ReplicaChannelOptions<Message>,
): ReplicaChannel<Message> {
  const own = newUuid();
  const isShared = database.engine.kind === 'postgres';
  let listening: Promise<() => Promise<void>> | undefined;
  let isClosed = false;
  const hear = (payload: string): void => {
    const { from, ...message } = JSON.parse(payload) as Message & { readonly from: string };
    if (from !== own) onMessage(message as unknown as Message);
  };
  return {
    async listen() {
      if (!isShared || isClosed) return true;
      listening ??= database.engine.listen(name, hear, onGap);
      try {
        await listening;
        return true;
      } catch (error) {
        // the next call of `listen` tries again
        listening = undefined;
        log.warn({ error }, problems.hearing);
        return false;
      }
    },
    tell(messages) {
      if (!isShared || messages.length === 0) return;
      const payloads = messages.map((message) => JSON.stringify({ from: own, ...message }));
      database
        .rows(sql`select pg_notify(${name}, payload) from unnest(${payloads}::text[]) payload`)
        .catch((error: unknown) => log.warn({ error }, problems.telling));
    },
    async close() {
      isClosed = true;
      const stop = await listening?.catch(() => undefined);
      await stop?.();
    },
  };
}
