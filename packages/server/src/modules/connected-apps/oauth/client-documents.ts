import { isRecord } from '@portolan/contract/json-value';
import { LRUCache } from 'lru-cache';
import type { Clock } from '../../../platform/clock.ts';
import type { Outgoing } from '../../../platform/outgoing/outgoing.ts';
import { parseJson } from '../../../platform/parse-json.ts';
import type { Limiter } from '../../identity/index.ts';
import { type Registration, readRegistration } from './registrations.ts';

/** Documents that apps publish about themselves; the address of one is the client id. */
export interface ClientDocuments {
  /**
   * Fetches the document, or answers with what it said a few minutes ago. Undefined if there is none that can be used.
   * @throws AppError `too_many_requests`
   */
  read(address: string, asker: string): Promise<Registration | undefined>;
}

interface Ports {
  /** Guarded: the address was chosen by a stranger. */
  readonly outgoing: Pick<Outgoing, 'send'>;
  readonly clock: Clock;
  /** Limits fetches per asker. */
  readonly fetching: Limiter;
}

const addressMax = 500;
const documentBytesMax = 16 * 1024;
const timeoutMs = 5_000;
const keptMs = 5 * 60 * 1000;
const keptMax = 500;

export function createClientDocuments({ outgoing, clock, fetching }: Ports): ClientDocuments {
  const kept = new LRUCache<string, { readonly until: number; readonly registration: Registration }>({ max: keptMax });
  return {
    async read(address, asker) {
      if (!isDocumentAddress(address)) return undefined;
      const known = kept.get(address);
      if (known && known.until > clock.now().getTime()) return known.registration;
      fetching.take(asker);
      const registration = await fetchDocument(outgoing, address);
      if (registration) kept.set(address, { until: clock.now().getTime() + keptMs, registration });
      else kept.delete(address);
      return registration;
    },
  };
}

/** Whether a client id is the address of a document, written in the one way in which it can be compared. */
export function isDocumentAddress(clientId: string): boolean {
  if (!clientId.startsWith('https://') || clientId.length > addressMax || !URL.canParse(clientId)) return false;
  const { href, username, password, hash, pathname } = new URL(clientId);
  return href === clientId && username === '' && password === '' && hash === '' && pathname !== '/';
}

async function fetchDocument(outgoing: Pick<Outgoing, 'send'>, address: string): Promise<Registration | undefined> {
  const headers = { accept: 'application/json' };
  // a redirect is an answer that is no document
  const answer = await outgoing
    .send({ url: address, headers, timeoutMs, bytesMax: documentBytesMax })
    .catch(() => undefined);
  const document = answer?.status === 200 ? parseJson(answer.body) : undefined;
  // whoever publishes a document speaks for its own address alone
  if (!isRecord(document) || document['client_id'] !== address) return undefined;
  // a public document can hold no secret
  const { token_endpoint_auth_method: method = 'none', client_secret: secret } = document;
  if (method !== 'none' || secret !== undefined) return undefined;
  const read = readRegistration(document);
  if ('error' in read) return undefined;
  // anybody may write any name: the host is what was proved
  return { ...read.registration, name: `${read.registration.name} (${new URL(address).host})` };
}
