import { describe, expect, test } from 'vitest';
import { eventStream, type Handler, json, refusal, scriptedFetch } from '../../test/scripted-fetch.ts';
import { createTestContext, testEnvironment } from '../../test/test-context.ts';
import { run } from '../run.ts';

const done = { id: 'inv:9', event: 'done', data: { status: 'Completed' } };
const says = (data: string) => ({ id: 'inv:2', event: 'execution', data });
const ask = 'POST /v1/ai/invoke';

async function call(given: readonly string[], handler: Handler, input = '') {
  const { fetch, seen } = scriptedFetch({ [ask]: handler });
  const { context, out, err } = createTestContext({ fetch, input });
  const code = await run(['ask', ...given], context);
  return { code, out: out(), err: err(), body: seen.find((request) => request.call === ask)?.body };
}

test('the words are the question, and the options the rest of the request', async () => {
  const options = ['--system', 'be brief', '--tools', '^list_', '--tools', '^get_', '--mode', 'automatic'];
  const { code, out, body } = await call(['which', 'services?', ...options, '--label', 'a=b', '--label', 'c=d=e'], () =>
    eventStream([says('None.'), done]),
  );
  expect({ code, out }).toEqual({ code: 0, out: 'None.\n' });
  expect(body).toEqual({
    userPrompt: 'which services?',
    systemPrompt: 'be brief',
    executionMode: 'Automatic',
    tools: ['^list_', '^get_'],
    labels: { a: 'b', c: 'd=e' },
  });
});

test('--no-tools asks for none, and - reads the question from stdin', async () => {
  const { body } = await call(['-', '--no-tools'], () => eventStream([done]), 'from a file?\n');
  expect(body).toEqual({ userPrompt: 'from a file?\n', tools: [] });
});

test('--json prints every event as a line', async () => {
  const { out } = await call(['--json', 'hi'], () => eventStream([says('a\nb'), done]));
  expect(out).toBe(
    '{"id":"inv:2","event":"execution","data":"a\\nb"}\n{"id":"inv:9","event":"done","data":{"status":"Completed"}}\n',
  );
});

const receipts = {
  version: 1,
  length: 34,
  coverage: 0.5,
  invented: 0,
  units: [
    { start: 0, end: 14, status: 'supported', refs: ['r1'] },
    { start: 15, end: 34, status: 'partly', refs: ['r1'], missing: ['4'] },
  ],
  records: {
    r1: {
      kind: 'entity',
      blueprint: 'service',
      identifier: 'cart',
      title: 'Cart',
      tool: 'get_entity',
      call: 'call_0',
      readAt: '2026-11-22T14:02:11.310Z',
      fields: ['language'],
      values: { language: 'Go' },
    },
  },
};

test('--sources says behind the answer which records back it, and what of it stands in none', async () => {
  let query: Readonly<Record<string, string>> = {};
  const { code, out } = await call(['--sources', 'hi'], (request) => {
    query = request.query;
    return eventStream([
      says('Let me see.\n\n'),
      says('Cart is in Go. It runs 4 replicas.'),
      { event: 'receipts', data: receipts } as never,
      done,
    ]);
  });
  expect([code, query['receipts']]).toEqual([0, 'true']);
  expect(out.split('\n').slice(2)).toEqual([
    'Cart is in Go. It runs 4 replicas.',
    '',
    '1 of 2 sentences backed by what was read',
    '[1] Cart (service cart) · language: Go · read 2026-11-22 14:02 UTC',
    'not in its source: 4 (It runs 4 replicas.)',
    '',
  ]);
});

test('without --sources nobody asks for receipts, and with it an answer without any says so', async () => {
  let query: Readonly<Record<string, string>> = {};
  const answer = (request: { query: typeof query }) => {
    query = request.query;
    return eventStream([says('None.'), done]);
  };
  await call(['hi'], answer);
  expect(query).not.toHaveProperty('receipts');
  expect((await call(['--sources', 'hi'], answer)).out).toBe('None.\n\nnothing was read for this answer\n');
});

describe('a wrong call sends nothing and ends with 2', () => {
  test.each([
    [[], 'Nothing was asked.'],
    [['  '], 'Nothing was asked.'],
    [['hi', '--label', 'a'], '--label "a" is not key=value.'],
    [['hi', '--mode', 'fast'], '--mode "fast" is not known.'],
    [['hi', '--tools', 'a', '--no-tools'], 'Give --tools or --no-tools, not both.'],
  ])('%j', async (given, sentence) => {
    const { code, err, body } = await call(given, () => eventStream([done]));
    expect({ code, body }).toEqual({ code: 2, body: undefined });
    expect(err).toContain(`portolan: usage: ${sentence}`);
  });
});

describe('a failure', () => {
  test('of the invocation ends with 1 and its code, after what was said', async () => {
    const error = { ok: false, error: 'llm_provider_timeout', message: 'The model was silent', retryable: true };
    const failed = { id: 'inv:9', event: 'done', data: { status: 'Failed' } };
    const answer = await call(['hi'], () =>
      eventStream([says('So far'), { id: 'inv:8', event: 'error', data: error }, failed]),
    );
    expect(answer).toMatchObject({
      code: 1,
      out: 'So far\n',
      err: 'portolan: llm_provider_timeout: The model was silent\n',
    });
  });

  test('of the request ends with 1 and every issue', async () => {
    const details = [{ path: '/tools/0', message: 'is not a valid regular expression' }];
    const answer = await call(['hi', '--tools', '('], () => refusal(400, 'invalid_request', 'Not valid', details));
    expect(answer).toMatchObject({
      code: 1,
      err: 'portolan: invalid_request: Not valid.\n  /tools/0: is not a valid regular expression\n',
    });
  });

  test('to sign in ends with 4', async () => {
    const { fetch } = scriptedFetch({});
    const { context, err } = createTestContext({
      fetch,
      environment: { ...testEnvironment, PORTOLAN_CLIENT_SECRET: 'x' },
    });
    expect(await run(['ask', 'hi'], context)).toBe(4);
    expect(err()).toBe(
      'portolan: unauthorized: The client id or secret is wrong. Check the client id and secret: --client-id and --client-secret, or the environment.\n',
    );
  });

  test('to reach the server ends with 3 and says how to start it', async () => {
    const { context, err } = createTestContext();
    expect(await run(['ask', 'hi'], context)).toBe(3);
    expect(err()).toBe(
      'portolan: server_unreachable: No server listens at http://127.0.0.1:3000. Start it with "npm start", or name another with --url or PORTOLAN_URL.\n',
    );
  });
});

test('a pause for an approval is no failure', async () => {
  const paused = { id: 'inv:9', event: 'done', data: { paused: true } };
  expect((await call(['hi'], () => eventStream([paused]))).code).toBe(0);
});

describe('Ctrl-C', () => {
  test('asks the server to cancel, shows how the invocation ended, and ends with 130', async () => {
    let cancel = (): void => {};
    const cancelled = new Promise<void>((resolve) => {
      cancel = resolve;
    });
    const { fetch, seen } = scriptedFetch({
      [ask]: () => {
        setImmediate(() => test.interrupt());
        const stream = new ReadableStream<Uint8Array>({
          async start(controller) {
            controller.enqueue(Buffer.from('id: i:1\nevent: text_delta\ndata: {"text":"So far"}\n\n'));
            await cancelled;
            controller.enqueue(Buffer.from('id: i:2\nevent: done\ndata: {"status":"Failed"}\n\n'));
          },
        });
        return new Response(stream);
      },
      'DELETE /v1/ai/invoke/{id}': () => {
        cancel();
        return json({ ok: true, result: {} });
      },
    });
    const test = createTestContext({ fetch });
    expect(await run(['ask', 'hi'], test.context)).toBe(130);
    expect(test.out()).toBe('So far\n');
    const identifier = seen.find(({ call: name }) => name === ask)?.query['invocation_identifier'];
    expect(seen.map(({ call: name }) => name)).toContain(`DELETE /v1/ai/invoke/${identifier}`);
    expect(test.err()).toBe(`portolan: invocation_cancelled: The invocation ${identifier} was cancelled.\n`);
  });

  test('ends at once where the server knows nothing of the invocation', async () => {
    const { fetch } = scriptedFetch({
      [ask]: () => {
        setImmediate(() => test.interrupt());
        return new Promise<Response>(() => {});
      },
    });
    const test = createTestContext({ fetch });
    expect(await run(['ask', 'hi'], test.context)).toBe(130);
  });
});
