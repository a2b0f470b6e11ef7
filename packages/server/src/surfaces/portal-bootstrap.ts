import { operations } from '@portolan/contract/operations';
import { type BootstrapPart, getPortalBootstrap } from '@portolan/contract/portal';
import type { Actor } from '../platform/actor.ts';
import { AppError } from '../platform/errors.ts';
import type { OwnApi } from '../platform/http/own-api.ts';
import { HttpAnswer, type Route, route } from '../platform/http/route.ts';
import { frameReads, type PortalRead, pageReads, screenReads } from './portal-reads.ts';

/** A part that takes longer holds nothing up: the portal reads it by itself. */
const partMs = 4_000;

const operationOf = new Map(operations.map((each) => [each.id, each]));

/**
 * The first reads of a screen in one answer, each once. Each is asked of our own API for the caller, so that scopes, rights and
 * masking are those of its own operation and nothing here decides about them (decision 0139).
 */
export function createPortalBootstrap(api: Pick<OwnApi, 'call'>): readonly Route[] {
  return [
    route(getPortalBootstrap, async ({ query: { path } }, { actor, headers }) => {
      if (headers['authorization'] !== undefined) {
        throw new AppError('missing_permissions', 'Only a session of the portal reads its first answers at once');
      }
      const asked = new Map<string, Promise<BootstrapPart | undefined>>();
      const ask = (read: PortalRead): Promise<BootstrapPart | undefined> => {
        const key = JSON.stringify(read);
        const part = asked.get(key) ?? answerPart(api, actor, read);
        asked.set(key, part);
        return part;
      };
      for (const read of frameReads(actor)) void ask(read);
      const askWithWidgets = async (read: PortalRead): Promise<void> => {
        const part = await ask(read);
        if (part?.operation === 'getPage') for (const inner of pageReads(part.answer, actor)) void ask(inner);
      };
      await Promise.all(screenReads(path, actor).map(askWithWidgets));
      const parts = (await Promise.all(asked.values())).filter((part) => part !== undefined);
      return new HttpAnswer({ parts }, { headers: { 'cache-control': 'no-store' } });
    }),
  ];
}

async function answerPart(
  api: Pick<OwnApi, 'call'>,
  actor: Actor,
  { operation: id, input }: PortalRead,
): Promise<BootstrapPart | undefined> {
  const operation = operationOf.get(id);
  if (!operation) throw new Error(`The portal reads ${id}, which is no operation`);
  try {
    const { status, body, etag } = await api.call({
      path: addressOf(operation.path, input),
      method: operation.method,
      operation,
      headers: {},
      actor,
      asker: async () => undefined,
      signal: AbortSignal.timeout(partMs),
    });
    if (status !== 200) return undefined;
    return { operation: id, input, answer: JSON.parse(body), ...(etag ? { etag } : {}) };
  } catch {
    // left out, and read by its own operation, which says what is wrong
    return undefined;
  }
}

function addressOf(path: string, { params = {}, query = {} }: PortalRead['input']): string {
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(params[name] ?? ''));
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) for (const one of [value].flat()) search.append(name, String(one));
  return search.size === 0 ? filled : `${filled}?${search}`;
}
