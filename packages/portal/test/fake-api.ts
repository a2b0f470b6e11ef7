import { vi } from 'vitest';
import type { AnswerOf, InputOf, OperationName } from '../src/api/api.ts';
import { addresses } from '../src/api/operation-addresses.ts';

type Answer<Name extends OperationName> = (input: SentRequest<Name>) => AnswerOf<Name> | Promise<AnswerOf<Name>>;
export type Answers = { readonly [Name in OperationName]?: Answer<Name> };

/** What an operation was sent, as the server reads it. */
export interface SentRequest<Name extends OperationName = OperationName> {
  readonly params: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, string>>;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: NonNullable<InputOf<Name>> extends { body?: infer Body } ? Body : unknown;
}

/** Thrown by an answer, it is sent as the server sends errors. */
export class Refused extends Error {
  readonly status: number;
  readonly body: Readonly<Record<string, unknown>>;

  constructor(status: number, error: string, message: string, details?: unknown) {
    super(message);
    this.status = status;
    this.body = { ok: false, error, message, ...(details === undefined ? {} : { details }) };
  }
}

/**
 * Stands in for the server: each operation that a test expects has its answer. Others are refused, so that a request
 * which nobody foresaw is seen. Returns what was sent, in order.
 */
export function fakeApi(answers: Answers): { readonly name: string; readonly sent: SentRequest }[] {
  const received: { name: string; sent: SentRequest }[] = [];
  vi.stubGlobal('fetch', async (address: string, init: RequestInit = {}) => {
    const url = new URL(address, location.origin);
    const { name, params } = operationAt(init.method ?? 'GET', url.pathname);
    const body = readBody(init);
    const sent: SentRequest = {
      params,
      query: Object.fromEntries(url.searchParams),
      headers: Object.fromEntries(new Headers(init.headers)),
      body,
    };
    received.push({ name, sent });
    const answer = answers[name as OperationName] as ((sent: SentRequest) => unknown) | undefined;
    try {
      if (!answer) throw new Refused(501, 'not_expected', `The test expects no ${name}`);
      const given = await answer(sent);
      // an answer that is a response, such as a stream, is sent as it is
      return given instanceof Response ? given : Response.json(given);
    } catch (error) {
      if (error instanceof Refused) return Response.json(error.body, { status: error.status });
      throw error;
    }
  });
  return received;
}

/** JSON parsed, JSON lines as the list of them. */
function readBody({ body, headers }: RequestInit) {
  if (typeof body !== 'string') return undefined;
  const isLines = new Headers(headers).get('content-type') === 'application/x-ndjson';
  return JSON.parse(isLines ? `[${body.trimEnd().replaceAll('\n', ',')}]` : body);
}

function operationAt(method: string, path: string): { name: string; params: Record<string, string> } {
  const given = path.split('/');
  // fixed names come before parameters, as in the server's router
  const known = Object.entries(addresses);
  const parameters = ([, { path: declared }]: (typeof known)[number]) => declared.split('{').length;
  for (const [name, address] of known.sort((one, other) => parameters(one) - parameters(other))) {
    const wanted = address.path.split('/');
    if (address.method !== method || wanted.length !== given.length) continue;
    const isMet = wanted.every((part, index) => part.startsWith('{') || part === given[index]);
    if (!isMet) continue;
    const named = wanted.flatMap((part, index) =>
      part.startsWith('{') ? [[part.slice(1, -1), decodeURIComponent(given[index] ?? '')]] : [],
    );
    return { name, params: Object.fromEntries(named) as Record<string, string> };
  }
  throw new Error(`No operation is ${method} ${path}`);
}
