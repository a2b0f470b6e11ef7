import { checkDocument, type Document, type FoundDocument, toReference } from './document.ts';
import { isObject, type Json, type JsonObject, toObject, toText, valueAt } from './json.ts';
import type { Problem } from './problem.ts';
import { parseReference, printReference } from './reference.ts';

/** A running Backstage. */
export interface BackstageServer {
  /** Of its back end, without `/api`. */
  readonly address: string;
  /** A static token of `backend.auth.externalAccess`. */
  readonly token?: string | undefined;
  readonly fetch: typeof fetch;
}

/** What the owner of the Backstage must mend before it can be read. */
export class BackstageRefusal extends Error {
  override readonly name = 'BackstageRefusal';
  readonly code: 'address_wrong' | 'credentials_refused' | 'too_old' | 'answer_unexpected';
  readonly fix: string;

  constructor(code: BackstageRefusal['code'], message: string, fix: string) {
    super(message);
    this.code = code;
    this.fix = fix;
  }
}

/** Backstage is busy or ill for the moment; the same request may succeed later. */
export class BackstageBusy extends Error {
  override readonly name = 'BackstageBusy';
}

/** What an operator of Backstage pastes into its `app-config.yaml`, so that programs may read the catalog. */
const tokenSnippet = `backend:
  auth:
    externalAccess:
      - type: static
        options:
          token: \${PORTOLAN_TOKEN}
          subject: portolan
        accessRestrictions:
          - plugin: catalog
            permission: catalog.entity.read
`;

export interface ServerPage {
  readonly documents: readonly FoundDocument[];
  readonly problems: readonly Problem[];
  /** Where the next page begins; null at the end. */
  readonly next: string | null;
  readonly orphans: number;
  readonly requests: number;
}

/** What Backstage itself asks for at once. */
const pageSize = 500;
const referencesMax = 200;

/** Reads the page of the catalog that begins at the cursor, the first for null. @throws BackstageRefusal, BackstageBusy */
export async function readServerPage(
  server: BackstageServer,
  cursor: string | null,
  signal: AbortSignal,
  limit = pageSize,
): Promise<ServerPage> {
  const query = new URLSearchParams({ limit: String(limit) });
  // Counting all of them costs Backstage more than the page itself; those too old to know this count anyway.
  if (cursor === null) query.set('totalItems', 'exclude');
  else query.set('cursor', cursor);
  const answer = await ask(server, `entities/by-query?${query}`, { signal });
  const items = toObject(answer)['items'];
  if (!Array.isArray(items)) throw unexpected();
  const problems: Problem[] = [];
  const documents: FoundDocument[] = [];
  let orphans = 0;
  for (const item of items as readonly Json[]) {
    const checked = checkDocument(item);
    if ('faults' in checked) problems.push(refused(item, checked.faults[0]?.message));
    else if (isOrphan(checked.document)) orphans += 1;
    else documents.push(toFound(checked.document, item as JsonObject));
  }
  const next = toText(valueAt(answer, ['pageInfo', 'nextCursor'])) ?? null;
  return { documents, problems, next, orphans, requests: 1 };
}

/** The addresses of users by their references, as far as Backstage has one. */
export async function readAddresses(
  server: BackstageServer,
  references: readonly string[],
  signal: AbortSignal,
): Promise<ReadonlyMap<string, string>> {
  const addresses = new Map<string, string>();
  for (let from = 0; from < references.length; from += referencesMax) {
    const entityRefs = references.slice(from, from + referencesMax);
    const body = JSON.stringify({ entityRefs, fields: ['kind', 'metadata', 'spec.profile'] });
    const headers = { 'content-type': 'application/json' };
    const items = toObject(await ask(server, 'entities/by-refs', { method: 'POST', body, headers, signal }))['items'];
    if (!Array.isArray(items)) throw unexpected();
    for (const item of items as readonly Json[]) {
      const checked = checkDocument(item);
      const email = toText(valueAt(item, ['spec', 'profile', 'email']))?.toLowerCase();
      if (email && 'document' in checked) addresses.set(printReference(toReference(checked.document)), email);
    }
  }
  return addresses;
}

/** Users that own something on the page and are not on it. */
export function ownersElsewhere(documents: readonly FoundDocument[]): readonly string[] {
  const here = new Set(documents.map(({ document }) => printReference(toReference(document))));
  const owners = documents.flatMap(({ relations = [] }) =>
    relations.flatMap(({ type, targetRef }) => {
      const owner = type === 'ownedBy' ? parseReference(targetRef) : undefined;
      return owner?.kind.toLowerCase() === 'user' ? [printReference(owner)] : [];
    }),
  );
  return [...new Set(owners)].filter((owner) => !here.has(owner));
}

/** The entity without what Backstage adds and what changes although nothing changed. */
function toFound(document: Document, item: JsonObject): FoundDocument {
  const { relations, status: _status, ...own } = item;
  const { uid: _uid, etag: _etag, generation: _generation, ...metadata } = document.metadata;
  const clean = { ...own, metadata } as unknown as Document;
  const stated = (Array.isArray(relations) ? relations : []).flatMap((relation: Json) => {
    const { type, targetRef } = toObject(relation);
    return typeof type === 'string' && typeof targetRef === 'string' ? [{ type, targetRef }] : [];
  });
  const url = valueAt(item, ['metadata', 'annotations', 'backstage.io/view-url']);
  return {
    document: clean,
    resolved: clean,
    place: typeof url === 'string' ? { file: url } : {},
    relations: stated,
  };
}

/** Nothing names it any more, and it stays until somebody removes it. */
function isOrphan({ metadata }: Document): boolean {
  return toObject(metadata['annotations'])['backstage.io/orphan'] === 'true';
}

function refused(item: Json, message = 'is not readable'): Problem {
  const name = toText(valueAt(item, ['metadata', 'name'])) ?? 'An entity without a name';
  return { severity: 'error', code: 'invalid_document', message: `${name} ${message}.`, item: null, place: null };
}

async function ask(server: BackstageServer, path: string, init: RequestInit): Promise<Json> {
  const address = `${server.address.replace(/\/+$/, '')}/api/catalog/${path}`;
  const headers = {
    ...(init.headers as Record<string, string> | undefined),
    accept: 'application/json',
    ...(server.token ? { authorization: `Bearer ${server.token}` } : {}),
  };
  const response = await server.fetch(address, { ...init, headers });
  const { status } = response;
  if (status === 429 || status >= 500)
    throw new BackstageBusy(`Backstage answered ${status} to ${path.split('?')[0]}.`);
  if (status === 401 || status === 403) throw credentialsRefused(server, status);
  if (status === 404) {
    const message = `There is no catalog of Backstage at ${server.address}, or it is older than 1.16.`;
    throw new BackstageRefusal(
      'too_old',
      message,
      'Name the address of the back end, such as https://backstage.example.com.',
    );
  }
  const body = await readJson(response);
  if (!response.ok || !isObject(body)) throw unexpected(status);
  return body;
}

/** A page of HTML instead of JSON comes from a proxy or from the front end. */
async function readJson(response: Response): Promise<Json | undefined> {
  const text = await response.text();
  try {
    return JSON.parse(text) as Json;
  } catch {
    return undefined;
  }
}

function credentialsRefused({ token }: BackstageServer, status: number): BackstageRefusal {
  const message = token
    ? `Backstage does not take the token (${status}).`
    : `Backstage asks for a token (${status}), and none is given.`;
  const fix = `Add this to the app-config.yaml of Backstage, restart it, and give the token here:\n\n${tokenSnippet}`;
  return new BackstageRefusal('credentials_refused', message, fix);
}

function unexpected(status = 200): BackstageRefusal {
  return new BackstageRefusal(
    'answer_unexpected',
    `The answer (${status}) is not one of Backstage's catalog.`,
    'Name the address of the back end; the front end may have another one.',
  );
}
