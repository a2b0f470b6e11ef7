import { expect, test } from 'vitest';
import { createAnswerStore } from '../kept-answers.ts';
import { createTransport } from './transport.ts';

const { signal } = new AbortController();

/** A host with one document; `etag` is that of its text. */
function host() {
  const state = { text: 'one', status: 200, hasEtag: true };
  const asked: (string | null)[] = [];
  const fetch: typeof globalThis.fetch = async (_input, init) => {
    const given = new Headers(init?.headers).get('if-none-match');
    asked.push(given);
    const headers: Record<string, string> = state.hasEtag ? { etag: `"${state.text}"`, link: 'next' } : {};
    if (state.status !== 200) return new Response('no', { status: state.status });
    if (given === `"${state.text}"`) return new Response(null, { status: 304, headers });
    return new Response(state.text, { headers });
  };
  const answers = createAnswerStore()('source');
  const options = { title: 'Host', origin: 'https://host.example', concurrency: 1, authorize: async () => ({}) };
  const ports = { fetch, now: () => new Date(), answers, retryMs: 1 };
  return { state, asked, answers, transport: createTransport(ports, options) };
}

test('what did not change is asked about, and not sent again', async () => {
  const { state, asked, transport } = host();
  const read = () => transport.send('https://host.example/list', { signal });
  for (let count = 0; count < 3; count += 1) {
    const answer = await read();
    expect([answer.status, answer.text, answer.headers.get('link')]).toEqual([200, 'one', 'next']);
  }
  expect(asked).toEqual([null, '"one"', '"one"']);
  state.text = 'two';
  expect((await read()).text).toBe('two');
  expect((await read()).text).toBe('two');
  expect(asked.at(-1)).toBe('"two"');
});

test('what a commit holds is asked for once', async () => {
  const { asked, transport } = host();
  const read = (text: string) =>
    transport.send('https://host.example/raw', { signal, isFinal: (found) => found === text });
  expect((await read('one')).text).toBe('one');
  expect((await read('one')).text).toBe('one');
  expect(asked).toHaveLength(1);
});

test('a refusal is never kept, and what is kept does not outlive one', async () => {
  const { state, transport } = host();
  const read = () => transport.send('https://host.example/list', { signal, allows: [403, 404] });
  await read();
  state.status = 403;
  expect((await read()).status).toBe(403);
  state.status = 401;
  await expect(read()).rejects.toMatchObject({ code: 'credentials_refused' });
});

test('a write is sent each time, and without an etag a read too', async () => {
  const { state, asked, transport } = host();
  state.hasEtag = false;
  for (let count = 0; count < 2; count += 1) {
    await transport.send('https://host.example/list', { signal });
    await transport.send('https://host.example/hooks', { method: 'POST', body: '{}', signal });
  }
  expect(asked).toEqual([null, null, null, null]);
});
