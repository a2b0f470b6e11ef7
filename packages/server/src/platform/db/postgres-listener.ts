import pg from 'pg';
import type { Engine, EngineLog } from './engine.ts';
import { toDatabaseError } from './pg-session.ts';

interface Subscription {
  readonly channel: string;
  readonly onPayload: (payload: string) => void;
  readonly onGap: (() => void) | undefined;
}

interface Listener {
  readonly listen: Engine['listen'];
  close(): Promise<void>;
}

const retryMs = { first: 100, longest: 5_000 };

/**
 * One dedicated connection for every LISTEN of the process, opened with the first. After a loss it is remade, listens
 * to every channel again, and calls `onGap` of each subscription.
 */
export function createPostgresListener(createClient: () => pg.Client, log: EngineLog | undefined): Listener {
  const subscriptions = new Set<Subscription>();
  let current: Promise<pg.Client> | undefined;
  let retry: NodeJS.Timeout | undefined;
  let isClosed = false;

  const open = async (): Promise<pg.Client> => {
    const client = createClient();
    let isLost = false;
    const lose = (error?: Error): void => {
      if (isLost) return;
      isLost = true;
      if (isClosed || !isOpen) return;
      log?.warn({ error }, 'the connection that listens for notifications was lost');
      current = undefined;
      client.end().catch(() => undefined);
      reopen(retryMs.first);
    };
    let isOpen = false;
    client.on('error', lose);
    client.on('end', () => lose());
    client.on('notification', ({ channel, payload = '' }) => {
      for (const each of [...subscriptions]) if (each.channel === channel) each.onPayload(payload);
    });
    await client.connect();
    for (const channel of new Set([...subscriptions].map((each) => each.channel))) {
      await client.query(`listen ${pg.escapeIdentifier(channel)}`);
    }
    if (isLost) throw new Error('the connection was lost while it was opened');
    isOpen = true;
    return client;
  };

  const connect = (): Promise<pg.Client> => {
    current ??= open().catch((error: unknown) => {
      current = undefined;
      throw toDatabaseError(error);
    });
    return current;
  };

  const reopen = (delayMs: number): void => {
    retry = setTimeout(() => {
      if (isClosed || subscriptions.size === 0) return;
      connect().then(
        () => {
          for (const each of [...subscriptions]) each.onGap?.();
        },
        () => reopen(Math.min(delayMs * 2, retryMs.longest)),
      );
    }, delayMs);
  };

  return {
    async listen(channel, onPayload, onGap) {
      const subscription: Subscription = { channel, onPayload, onGap };
      subscriptions.add(subscription);
      try {
        const client = await connect();
        // Harmless if the channel is listened to already; needed if the connection is older than this call.
        await client.query(`listen ${pg.escapeIdentifier(channel)}`);
      } catch (error) {
        subscriptions.delete(subscription);
        throw toDatabaseError(error);
      }
      return async () => {
        if (!subscriptions.delete(subscription) || isClosed) return;
        if ([...subscriptions].some((each) => each.channel === channel)) return;
        const client = await current?.catch(() => undefined);
        await client?.query(`unlisten ${pg.escapeIdentifier(channel)}`).catch(() => undefined);
      };
    },
    async close() {
      isClosed = true;
      clearTimeout(retry);
      const client = await current?.catch(() => undefined);
      await client?.end();
    },
  };
}
