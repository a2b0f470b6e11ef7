import { expect } from 'vitest';

export interface Asked {
  readonly params: Readonly<Record<string, string>>;
  /** One that is given several times has all of its values, with commas. */
  readonly query: Readonly<Record<string, string>>;
  readonly body: unknown;
}

export interface HostReply {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent as JSON. */
  readonly json?: unknown;
  readonly text?: string;
}

/** Method, path with `:names`, the query fields that the host knows there, and its answer. */
export type HostRoute = readonly [string, string, readonly string[], (asked: Asked) => HostReply];

interface StrictHost {
  readonly origin: string;
  /** The header without which everything is 401. */
  readonly authorization: string;
  readonly routes: readonly HostRoute[];
}

/** A host that answers what its vendor describes; any other request fails the test. */
export function strictHost({ origin, authorization, routes }: StrictHost): typeof fetch {
  return async (input, init) => {
    const url = new URL(String(input));
    const method = init?.method ?? 'GET';
    expect(url.origin, 'credentials are sent to the host only').toBe(origin);
    if (new Headers(init?.headers).get('authorization') !== authorization) return new Response('{}', { status: 401 });
    for (const [itsMethod, path, queries, handle] of routes) {
      const params = itsMethod === method ? match(path, url.pathname) : undefined;
      if (!params) continue;
      const names = [...new Set(url.searchParams.keys())];
      const query = Object.fromEntries(names.map((name) => [name, url.searchParams.getAll(name).join(',')]));
      const strange = Object.keys(query).filter((name) => !queries.includes(name));
      expect(strange, `query fields of ${method} ${path}`).toEqual([]);
      const body: unknown = typeof init?.body === 'string' ? JSON.parse(init.body) : undefined;
      const { status = 200, headers = {}, json, text } = handle({ params, query, body });
      const isEmpty = status === 204 || (status > 299 && status < 400);
      return new Response(isEmpty ? null : (text ?? JSON.stringify(json ?? {})), { status, headers });
    }
    return expect.fail(`the host has no ${method} ${url.pathname}${url.search}`);
  };
}

function match(pattern: string, path: string): Record<string, string> | undefined {
  const expected = pattern.split('/');
  const given = path.split('/');
  const isOpen = expected.at(-1)?.startsWith(':rest') === true;
  if (isOpen ? given.length < expected.length : given.length !== expected.length) return undefined;
  const params: Record<string, string> = {};
  for (const [index, part] of expected.entries()) {
    if (isOpen && index === expected.length - 1) params['rest'] = decodeURIComponent(given.slice(index).join('/'));
    else if (part.startsWith(':')) params[part.slice(1)] = decodeURIComponent(given[index] ?? '');
    else if (part !== given[index]) return undefined;
  }
  return params;
}

export const notFound: HostReply = { status: 404 };
export const forbidden: HostReply = { status: 403 };

/** `Link`, as most hosts tell the next page. */
export function linkTo(address: string | undefined): Record<string, string> {
  return address === undefined ? {} : { link: `<${address}>; rel="next", <${address}>; rel="last"` };
}
