import { expect } from 'vitest';
import type { KeptAnswers } from '../../../src/modules/sources/kept-answers.ts';
import type { PassStart, SourceReader } from '../../../src/modules/sources/source-type.ts';
import type { walk } from '../walk.ts';
import type { HostCase } from './host-case.ts';
import { makeRepository, makeWorld, type World, type WorldRepository } from './world.ts';

export const full: PassStart = { mode: 'full', state: null };
const now = new Date('2026-11-23T12:00:00Z');
export const { signal } = new AbortController();

export type Instead = (url: URL, init: { readonly method: string; readonly body: string }) => Response | undefined;

/** The host, but for what the test says. */
export function but(fetch: typeof globalThis.fetch, instead: Instead): typeof globalThis.fetch {
  return async (input, init) => {
    const { method = 'GET', body } = init ?? {};
    return instead(new URL(String(input)), { method, body: String(body ?? '') }) ?? fetch(input, init);
  };
}

export function opener(
  host: HostCase,
  fetch: typeof globalThis.fetch,
  more: object = {},
  answers?: KeptAnswers,
): () => SourceReader {
  const settings = host.type.settings.parse({ owners: ['acme'], ...host.settings, ...more });
  return () =>
    host.type.open(settings, host.secrets, { fetch, now: () => now, retryMs: 1, ...(answers ? { answers } : {}) });
}

export function fillWorld(host: HostCase, count: number, ...more: Partial<WorldRepository>[]): World {
  const plain = Array.from({ length: count }, (_, index) => makeRepository(index + 1, host.codeowners));
  return makeWorld([...plain, ...more.map((each, index) => makeRepository(count + index + 1, host.codeowners, each))]);
}

export const repositoryKeys = (walked: Awaited<ReturnType<typeof walk>>): string[] =>
  [...walked.items.values()].filter(({ kind }) => kind === 'repository').map(({ key }) => key);

export const sorted = (keys: readonly string[]): string[] => keys.toSorted();
export const named = (world: World, index: number): WorldRepository =>
  world.repositories[index] ?? expect.fail('no such one');

export function refuse({ refusal }: HostCase, url: URL, status: number): Response {
  return refusal?.(url, status) ?? new Response('{"message":"no"}', { status });
}
