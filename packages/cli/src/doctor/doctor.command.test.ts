import { describe, expect, test } from 'vitest';
import { eventStream, type Handler, json, refusal, scriptedFetch } from '../../test/scripted-fetch.ts';
import { createTestContext } from '../../test/test-context.ts';
import { run } from '../run.ts';

const quota = { monthlyLimit: 100, remainingQuota: 40, month: '2030-01', remainingTimeMs: 1 };
const newest = { identifier: 'inv', provider: 'openai', model: 'm-1' };
const healthy: Record<string, Handler> = {
  'GET /openapi.json': () => json({ info: { title: 'Portolan API', version: '1.2.3' } }),
  'GET /ready': () => json({ ok: true, status: 'ready' }),
  'GET /v1/ai/invocations': () => json({ ok: true, invocations: [newest] }),
  'GET /v1/quota/ai-invocations': () => json({ ok: true, monthlyQuotaUsage: quota }),
  'GET /v1/ai/invoke/inv': () => json({ ok: true, result: { usage: { isLanguageModel: true } } }),
};

async function doctor(script: Record<string, Handler>, given: readonly string[] = [], environment?: object) {
  const { fetch, seen } = scriptedFetch({ ...healthy, ...script });
  const { context, out, err } = createTestContext({
    fetch,
    ...(environment as { environment: Record<string, string> }),
  });
  const code = await run(['doctor', ...given], context);
  return { code, out: out(), err: err(), seen };
}

test('a healthy installation is a plain table', async () => {
  expect(await doctor({})).toMatchObject({
    code: 0,
    out: `ok  address      http://127.0.0.1:3000 (from PORTOLAN_URL)
ok  server       Portolan 1.2.3
ok  ready        migrated and serving
ok  credentials  client is accepted (from the environment)
ok  assistant    40 of 100 invocations left in 2030-01
ok  model        openai, m-1 (newest invocation)
`,
    err: '',
  });
});

test('--json is one document', async () => {
  const { out } = await doctor({}, ['--json']);
  expect(JSON.parse(out)).toEqual({
    ok: true,
    url: 'http://127.0.0.1:3000',
    version: '1.2.3',
    model: { provider: 'openai', model: 'm-1', isLanguageModel: true },
    checks: [
      { name: 'address', status: 'ok', message: 'http://127.0.0.1:3000 (from PORTOLAN_URL)' },
      { name: 'server', status: 'ok', message: 'Portolan 1.2.3' },
      { name: 'ready', status: 'ok', message: 'migrated and serving' },
      { name: 'credentials', status: 'ok', message: 'client is accepted (from the environment)' },
      { name: 'assistant', status: 'ok', message: '40 of 100 invocations left in 2030-01' },
      { name: 'model', status: 'ok', message: 'openai, m-1 (newest invocation)' },
    ],
  });
});

describe('the first failure decides the exit code, and what depends on it is not tried', () => {
  test.each<[string, Record<string, Handler>, number, string]>([
    [
      'no server',
      { 'GET /openapi.json': () => Promise.reject(new TypeError('fetch failed', { cause: { code: 'ECONNREFUSED' } })) },
      3,
      'FAILED  server   No server listens at http://127.0.0.1:3000. Start it with "npm start", or name another with --url or PORTOLAN_URL.\n',
    ],
    [
      'something else',
      { 'GET /openapi.json': () => new Response('<html>') },
      3,
      'FAILED  server   http://127.0.0.1:3000 answered 200 and not as Portolan does. Check the address (--url).\n',
    ],
    [
      'not ready',
      { 'GET /ready': () => refusal(503, 'service_unavailable', 'The server is stopping') },
      3,
      'FAILED  ready    The server is stopping. Look at the log of the server.\n',
    ],
    [
      'wrong credentials',
      { 'POST /v1/auth/access_token': () => refusal(401, 'unauthorized', 'The client id or secret is wrong') },
      4,
      'FAILED  credentials  The client id or secret is wrong. Check the client id and secret: --client-id and --client-secret, or the environment.\n',
    ],
  ])('%s', async (_name, script, code, lastLine) => {
    const answer = await doctor(script);
    expect(answer.code).toBe(code);
    expect(answer.out.endsWith(`\n${lastLine}`)).toBe(true);
  });

  test('a used up quota', async () => {
    const used = { ...quota, remainingQuota: 0 };
    const answer = await doctor({
      'GET /v1/quota/ai-invocations': () => json({ ok: true, monthlyQuotaUsage: used }),
    });
    expect(answer.code).toBe(1);
    expect(answer.out).toContain('FAILED  assistant    All 100 invocations of 2030-01 are used.');
    expect(answer.out).toContain('ok      model');
  });
});

test('an installation that nobody asked has no model to name', async () => {
  const { code, out } = await doctor({ 'GET /v1/ai/invocations': () => json({ ok: true, invocations: [] }) });
  expect(code).toBe(0);
  expect(out).toContain('?   model        nothing was asked yet; --ask finds out\n');
});

test('the built-in planner is not passed off as a language model', async () => {
  const { out } = await doctor({
    'GET /v1/ai/invoke/inv': () => json({ ok: true, result: { usage: { isLanguageModel: false } } }),
  });
  expect(out).toContain('openai, m-1, not a language model (set PORTOLAN_LLM_PROVIDER) (newest invocation)');
});

describe('--ask', () => {
  const done = { id: 'i:2', event: 'done', data: { status: 'Completed' } };

  test('asks one short question without tools', async () => {
    const { out, seen } = await doctor({ 'POST /v1/ai/invoke': () => eventStream([done]) }, ['--ask']);
    expect(out).toMatch(/^ok {2}assistant {4}answered in \d+ ms; 40 of 100 invocations left in 2030-01$/m);
    expect(seen.find(({ call }) => call === 'POST /v1/ai/invoke')?.body).toMatchObject({ tools: [] });
  });

  test('shows why the model does not answer', async () => {
    const error = { id: 'i:1', event: 'error', data: { error: 'llm_provider_refused', message: 'The key is wrong' } };
    const answer = await doctor({ 'POST /v1/ai/invoke': () => eventStream([error, done]) }, ['--ask', '--json']);
    expect(answer.code).toBe(1);
    expect(JSON.parse(answer.out).checks).toContainEqual({
      name: 'assistant',
      status: 'failed',
      message: 'The key is wrong',
      code: 'llm_provider_refused',
    });
  });
});

describe('--installation', () => {
  const operator = { environment: { PORTOLAN_OPERATOR_TOKEN: 'op' } };
  const told = (checks: readonly object[]) => ({ 'GET /v1/operator/doctor': () => json({ ok: true, checks }) });
  const well = { name: 'jobs', status: 'ok', message: 'none is late' };
  const warning = { name: 'organizations', status: 'warning', message: 'one is frozen', code: 'organization_frozen' };
  const failed = { name: 'database', status: 'failed', message: 'fsync is off', code: 'not_durable' };

  test('is a table whose failures decide the exit code, and warnings do not', async () => {
    expect(await doctor(told([well, warning]), ['--installation'], operator)).toMatchObject({
      code: 0,
      out: 'ok       jobs           none is late\nwarning  organizations  one is frozen\n',
    });
    const { code, out } = await doctor(told([failed, well]), ['--installation', '--json'], operator);
    expect([code, JSON.parse(out)]).toEqual([1, { checks: [failed, well] }]);
  });
});
