import type { IncomingMessage, Server } from 'node:http';
import { pause } from '../pause.ts';

/** When nobody sent anything for so long, whoever passes requests on has noticed that they should go elsewhere. */
const quietMs = 500;
/** How much longer than told it is waited for that. */
const longerMs = 2_500;
const lookMs = 50;
const probes = /^\/(ready|health|metrics)\b/;

/**
 * Goes on serving for a while, and then until nobody sends anything any more: a proxy that looks every five seconds learns
 * of a stop up to five seconds after it began. An aborted signal ends the waiting.
 */
export async function drain(server: Server, drainMs: number, signal: AbortSignal): Promise<void> {
  if (drainMs === 0) return;
  let lastMs = performance.now();
  const onRequest = ({ url = '' }: IncomingMessage): void => {
    if (!probes.test(url)) lastMs = performance.now();
  };
  server.on('request', onRequest);
  const until = performance.now() + drainMs;
  try {
    await pause(drainMs, signal);
    while (!signal.aborted && performance.now() < until + longerMs && performance.now() - lastMs < quietMs) {
      await pause(lookMs, signal);
    }
  } finally {
    server.off('request', onRequest);
  }
}
