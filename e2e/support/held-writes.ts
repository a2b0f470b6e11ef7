import { type Operation, onlyReads } from '@portolan/contract/operation';
import { operations } from '@portolan/contract/operations';
import type { BrowserContext, Request } from 'playwright-core';

/** A request that would change something, as a screen sent it, and what was pressed for it. */
interface HeldWrite {
  readonly operation: string;
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer | null;
  readonly pressed: string;
}

/** What was offered to somebody, pressed, and sent to the server after all was looked at. */
export interface SentWrite extends HeldWrite {
  readonly status: number;
  readonly message: string;
}

const patterns = operations.map(
  (operation) => [operation, new RegExp(`^${operation.path.replaceAll(/\{\w+\}/g, '[^/]+')}$`)] as const,
);

/** The operation that a request is; undefined for what is none, such as a file of the portal. */
export function findOperation(method: string, url: string): Operation | undefined {
  const { pathname } = new URL(url);
  return patterns.find(([operation, pattern]) => operation.method === method && pattern.test(pathname))?.[0];
}

const streamed: readonly string[] = ['followChanges', 'streamWorkflowRunEvents'];

/** Whoever sends these has no session afterwards, or another one: they are about the caller alone. */
const endsSession = new Set(['signOut', 'revokeSession', 'revokeSessions', 'enterOrganization', 'changePassword']);

/**
 * Keeps everything from the server that would change something, and answers that it failed, so that screens can be pressed
 * without harm. `send` asks the server afterwards, with exactly what was sent.
 */
export async function holdWrites(context: BrowserContext, whatIsPressed: (request: Request) => string) {
  const held = new Map<string, HeldWrite>();
  await context.route('**/v1/**', async (route) => {
    const request = route.request();
    const [method, url] = [request.method(), request.url()];
    const operation = findOperation(method, url);
    // a stream would hold one of the few connections for each screen
    if (operation && streamed.includes(operation.id)) return;
    if (!operation || onlyReads(operation)) return route.continue();
    const body = request.postDataBuffer();
    const write = { operation: operation.id, method, url, headers: request.headers(), body };
    const key = `${method} ${new URL(url).pathname} ${keysOf(body)}`;
    if (!held.has(key)) held.set(key, { ...write, pressed: whatIsPressed(request) });
    await route.fulfill({
      status: 500,
      json: { ok: false, error: 'internal_error', message: 'Held back by a journey', requestId: 'held' },
    });
  });

  const send = async (): Promise<SentWrite[]> => {
    const writes = [...held.values()].filter(({ operation }) => !endsSession.has(operation));
    const sent: SentWrite[] = [];
    // what is deleted could not be changed any more
    for (const write of writes.toSorted((one, other) => rank(one) - rank(other))) {
      const { method, url, headers, body } = write;
      const answer = await context.request.fetch(url, {
        method,
        headers: pick(headers),
        ...(body ? { data: body } : {}),
        timeout: 20_000,
      });
      const text = await answer.text();
      sent.push({ ...write, status: answer.status(), message: readMessage(text) });
    }
    return sent;
  };
  return { held, send };
}

function rank({ operation }: HeldWrite): number {
  return /delete|remove/i.test(operation) ? 1 : 0;
}

function pick(headers: Readonly<Record<string, string>>): Record<string, string> {
  const wanted = ['content-type', 'x-csrf-token', 'origin', 'accept'];
  return Object.fromEntries(Object.entries(headers).filter(([name]) => wanted.includes(name)));
}

/** Two writes to the same place are told apart by what they set, not by what it is set to. */
function keysOf(body: Buffer | null): string {
  try {
    return Object.keys(JSON.parse(body?.toString() ?? '') as object).join();
  } catch {
    return '';
  }
}

function readMessage(text: string): string {
  try {
    const { error, message } = JSON.parse(text) as { error?: string; message?: string };
    return `${error ?? ''} ${message ?? ''}`.trim();
  } catch {
    return text.slice(0, 80);
  }
}
