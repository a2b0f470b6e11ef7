import { expect, test } from 'vitest';
import { eventStream, json, scriptedFetch } from '../../test/scripted-fetch.ts';
import { createTestContext } from '../../test/test-context.ts';
import { run } from '../run.ts';

const says = (data: string) => ({ id: 'inv:2', event: 'execution', data });
const done = (status = 'Completed') => ({ id: 'inv:9', event: 'done', data: { status } });
const conversation = { identifier: 'c2' };
const turn = (id: string, content: string) => [
  { role: 'user', invocationIdentifier: id, content },
  { role: 'assistant', invocationIdentifier: id, content: [], tokens: 40, costUsd: 0.25 },
];

async function chat(lines: readonly string[], given: readonly string[] = [], statuses: readonly string[] = []) {
  let asked = 0;
  const { fetch, seen } = scriptedFetch({
    'POST /v1/ai/invoke': () => eventStream([says(`Answer ${++asked}.`), done(statuses[asked - 1])]),
    'GET /v1/ai/conversations': () => json({ ok: true, conversations: [{ identifier: 'c1' }] }),
    'GET /v1/ai/conversations/c1': () => json({ ok: true, conversation, messages: turn('t1', 'Old?') }),
    'POST /v1/ai/conversations/c1/fork': () => json({ ok: true, conversation }),
    'GET /v1/ai/invoke/t1': () => json({ ok: true, result: { status: 'Completed', message: 'Cart is in Go.' } }),
    'GET /v1/ai/invoke/t1/receipts': () =>
      json({
        ok: true,
        receipts: {
          version: 1,
          length: 14,
          coverage: 0,
          invented: 0,
          units: [{ start: 0, end: 14, status: 'unsupported', missing: ['Go'] }],
          records: {},
        },
      }),
    'PUT /v1/ai/conversations/c1/share': () => json({ ok: true, conversation }),
  });
  const { context, out, err } = createTestContext({ fetch, input: `${lines.join('\n')}\n` });
  const code = await run(['chat', ...given], context);
  const bodies = seen
    .filter(({ call }) => call === 'POST /v1/ai/invoke')
    .map(({ body }) => body as Record<string, string>);
  return { code, out: out(), err: err(), bodies, calls: seen.map(({ call }) => call) };
}

test('each line is a turn of one conversation', async () => {
  const { code, out, bodies } = await chat(['Which services?', '', 'And the second one?']);
  expect({ code, out }).toEqual({ code: 0, out: 'Answer 1.\nAnswer 2.\n' });
  expect(bodies[0]).toEqual({ userPrompt: 'Which services?', conversation: 'new' });
  expect(bodies[1]?.['conversation']).toMatch(/^[0-9a-f-]{36}$/);
});

test('--last goes on with the latest conversation, and /edit and /retry replace the last turn', async () => {
  const { bodies } = await chat(['/edit Better?', '/retry', '/quit', 'never'], ['--last']);
  expect(bodies).toHaveLength(2);
  expect(bodies[0]).toEqual({ userPrompt: 'Better?', conversation: 'c1', replaces: 't1' });
  expect(bodies[1]).toMatchObject({ userPrompt: 'Better?', conversation: 'c1' });
  expect(bodies[1]?.['replaces']).not.toBe('t1');
});

test('/branch, /share and /cost work on the conversation', async () => {
  const { err, bodies, calls } = await chat(['/cost', '/share', '/branch 1', 'Next?'], ['--conversation', 'c1']);
  expect(err).toContain('1 turn, 40 tokens, $0.2500');
  expect(calls).toContain('PUT /v1/ai/conversations/c1/share');
  expect(bodies[0]).toEqual({ userPrompt: 'Next?', conversation: 'c2' });
});

test('/receipts says what backs the last answer, and where all of it is', async () => {
  const { err } = await chat(['/receipts'], ['--conversation', 'c1']);
  expect(err).toContain(
    '0 of 1 sentence backed by what was read\nnot in what was read: Cart is in Go.\nAll that was done: ',
  );
  expect((await chat(['/receipts'])).err).toContain('Nothing was asked yet.');
});

test('a failed turn does not end the talk, and decides the exit code', async () => {
  const { code, err, bodies } = await chat(['One?', 'Two?'], [], ['Failed', 'Completed']);
  expect(bodies).toHaveLength(2);
  expect(code).toBe(1);
  expect(err).toContain('invocation_failed');
});

test('an unknown command says how to find the known ones', async () => {
  const { code, err, bodies } = await chat(['/dance']);
  expect({ code, bodies }).toEqual({ code: 2, bodies: [] });
  expect(err).toContain('/help lists the commands');
});
