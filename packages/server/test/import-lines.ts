import type { Readable } from 'node:stream';
import { expect } from 'vitest';
import type { Request } from './build-test-app.ts';

type Json = Readonly<Record<string, unknown>>;

/** The answer of an import, its lines sorted by what they tell. */
export interface ImportAnswer {
  readonly status: number;
  readonly id: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests state what they expect of it
  readonly done: any;
  // biome-ignore lint/suspicious/noExplicitAny: tests state what they expect of it
  readonly lines: readonly any[];
  // biome-ignore lint/suspicious/noExplicitAny: tests state what they expect of it
  readonly problems: readonly any[];
  // biome-ignore lint/suspicious/noExplicitAny: tests state what they expect of it
  readonly changes: readonly any[];
}

/** Sends lines as one import. */
export function importLines(
  request: Request,
  query: string,
  lines: readonly (Json | string)[],
  options: { readonly token?: string } = {},
): Promise<ImportAnswer> {
  const payload = lines.map((line) => `${typeof line === 'string' ? line : JSON.stringify(line)}\n`).join('');
  return sendImport(request, query, payload, { 'content-type': 'application/x-ndjson' }, options);
}

/** Sends a body of any form as one import. */
export async function sendImport(
  request: Request,
  query: string,
  payload: string | Buffer | Readable,
  headers: Readonly<Record<string, string>>,
  options: { readonly token?: string } = {},
): Promise<ImportAnswer> {
  const answer = await request('POST', `/v1/imports?${query}`, { payload, headers, ...options });
  if (typeof answer.body !== 'string') {
    expect(answer.status, JSON.stringify(answer.body)).not.toBe(200);
    return { status: answer.status, id: '', done: answer.body, lines: [], problems: [], changes: [] };
  }
  const told = answer.body
    .trim()
    .split('\n')
    .map((line: string) => JSON.parse(line));
  return {
    status: answer.status,
    id: told[0].import,
    done: told.find(({ done }: { done?: boolean }) => done),
    lines: told,
    problems: told.filter((each: Json) => 'error' in each),
    changes: told.filter((each: Json) => 'change' in each),
  };
}
