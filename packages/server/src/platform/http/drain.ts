import type { IncomingMessage, Server } from 'node:http';
import { pause } from '../pause.ts';

/** After this long without requests, the proxy has noticed the stop. */
const quietMs = 500;
/** Longest wait for that beyond the drain time. */
const longerMs = 2_500;
const lookMs = 50;
const probes = /^\/(ready|health|metrics)\b/;

/**
 * Goes on serving for `drainMs`, and then until requests stop: a proxy that checks every five seconds notices a stop up
 * to five seconds late. Aborting the signal ends the wait.
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
