import { QueryObserver } from '@tanstack/react-query';
import { afterEach, expect, test, vi } from 'vitest';
import { call } from './api.ts';
import { createQueryClient } from './query.ts';

afterEach(() => {
  vi.unstubAllGlobals();
});

/** Reads once from a server that answers with `busy` before it answers well; answers how often it was asked. */
async function readFrom(...busy: readonly Response[]): Promise<number> {
  let asked = 0;
  vi.stubGlobal('fetch', async () => busy[asked++] ?? Response.json({ ok: true, blueprints: [] }));
  await createQueryClient().fetchQuery({
    queryKey: ['listBlueprints'],
    queryFn: () => call('listBlueprints'),
    // as for a screen: without it, a read that nobody shows is not tried again
    retry: createQueryClient().getDefaultOptions().queries?.retry ?? false,
  });
  return asked;
}

const refusal = (status: number, retryAfter?: string) =>
  Response.json(
    { ok: false, error: 'x', message: 'Busy' },
    { status, headers: retryAfter ? { 'retry-after': retryAfter } : {} },
  );

test.each([429, 503])('a server that is too busy (%i) is asked again when it wants to be', async (status) => {
  expect(await readFrom(refusal(status, '0'), refusal(status, '0'), refusal(status, '0'), refusal(status, '0'))).toBe(
    5,
  );
});

test.each([
  ['a refusal', refusal(403)],
  ['a long wait', refusal(429, '3600')],
])('%s is told at once', async (_, answer) => {
  await expect(readFrom(answer)).rejects.toThrow('Busy');
});

test('what changes while it is read for the first time is read again', async () => {
  const queries = createQueryClient();
  const answers: ((answer: string) => void)[] = [];
  const queryKey = ['getRun', 'r_1'];
  const queryFn = () => new Promise<string>((resolve) => answers.push(resolve));
  const shown = new QueryObserver(queries, { queryKey, queryFn });
  const leave = shown.subscribe(() => {});
  void queries.invalidateQueries({ queryKey });
  answers[0]?.('before the change');
  await vi.waitFor(() => expect(answers).toHaveLength(2));
  answers[1]?.('after the change');
  await vi.waitFor(() => expect(queries.getQueryData(queryKey)).toBe('after the change'));
  await queries.invalidateQueries({ queryKey: ['another'] });
  expect(answers).toHaveLength(2);
  leave();
});

test('so is what changes while it is read again for no screen, such as before a link is followed', async () => {
  const queries = createQueryClient();
  const queryKey = ['getRun', 'r_1'];
  queries.setQueryData(queryKey, 'long ago');
  const answers: ((answer: string) => void)[] = [];
  const queryFn = () => new Promise<string>((resolve) => answers.push(resolve));
  const read = queries.prefetchQuery({ queryKey, queryFn, staleTime: 0 });
  void queries.invalidateQueries({ queryKey });
  answers[0]?.('before the change');
  await read;
  expect(queries.getQueryState(queryKey)?.isInvalidated).toBe(true);
});
