import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { EvalReport } from '@portolan/contract/evaluation';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { run } from '../src/run.ts';
import { type ModelServer, startModelServer } from './model-server.ts';
import { onlyOn } from './only-on.ts';
import { type EndedProcess, type ServerProcess, startServer } from './processes.ts';
import { createTestContext } from './test-context.ts';

onlyOn('embedded', 'an evaluation sees the API alone, whatever stores the catalog', () => {
  let model: ModelServer;
  let server: ServerProcess;
  let folder = '';
  let verdict = '';
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'portolan-eval-model-'));
    model = await startModelServer((asked) =>
      asked.includes('You judge an answer') ? verdict : 'I am fine, thank you.',
    );
    server = await startServer({
      PORTOLAN_DEMO: '0',
      PORTOLAN_LLM_PROVIDER: 'openai-compatible',
      PORTOLAN_LLM_BASE_URL: model.url,
      PORTOLAN_LLM_MODEL: 'mock',
      PORTOLAN_LLM_API_KEY: 'sk-of-the-tests',
    });
    expect((await called('init')).code).toBe(0);
    await api('POST', '/blueprints/ai_eval_case/entities?upsert=true', {
      identifier: 'polite',
      properties: {
        question: 'How are you?',
        expect: [
          { grader: 'contains', all: ['fine'] },
          { grader: 'judge', rubric: 'Is it polite?' },
        ],
        tags: ['judged'],
      },
    });
  });
  afterAll(async () => {
    await server?.stop();
    await model?.close();
    rmSync(folder, { recursive: true, force: true });
  });
  beforeEach(() => {
    verdict = '{"verdict": "passes", "reason": "It thanks."}';
  });

  async function called(...given: string[]): Promise<EndedProcess> {
    const environment = { PORTOLAN_URL: server.address, PORTOLAN_DATA_DIR: server.dataDir };
    const { context, out, err } = createTestContext({ fetch, environment, workingDirectory: folder });
    return { code: await run(['eval', ...given], context), out: out(), err: err() };
  }
  const judged = (...given: string[]) => called('--tag', 'judged', '--json', 'all.json', ...given);
  const variant = () => {
    const report: EvalReport = JSON.parse(readFileSync(join(folder, 'all.json'), 'utf8'));
    return report.variants[0];
  };

  /** The API as whoever has the data folder of the server. */
  // biome-ignore lint/suspicious/noExplicitAny: tests state what they expect of it
  async function api(method: string, path: string, body?: object): Promise<any> {
    const headers = { 'content-type': 'application/json' };
    const { clientId, clientSecret } = JSON.parse(readFileSync(join(server.dataDir, 'secrets.json'), 'utf8'));
    const login = { method: 'POST', headers, body: JSON.stringify({ clientId, clientSecret }) };
    const signedIn = (await (await fetch(`${server.address}/v1/auth/access_token`, login)).json()) as {
      accessToken: string;
    };
    const answer = await fetch(`${server.address}/v1${path}`, {
      method,
      headers: { ...headers, authorization: `Bearer ${signedIn.accessToken}` },
      ...(body ? { body: JSON.stringify(body) } : {}),
    });
    expect(answer.ok, `${method} ${path}: ${answer.status}`).toBe(true);
    return answer.json();
  }

  test('a judge decides what other graders let pass, and its verdict is that of the case', async () => {
    expect((await judged('--fail-below', '1', '--no-record')).code).toBe(0);
    expect(variant()?.cases).toMatchObject([{ case: 'polite', outcome: 'right' }]);
    verdict = '{"verdict": "fails", "reason": "It is cold."}';
    expect((await judged('--fail-below', '1', '--no-record')).code).toBe(1);
    expect(variant()?.cases[0]?.trials[0]?.grades).toContainEqual(
      expect.objectContaining({ grader: 'judge', passed: false, reason: expect.stringContaining('It is cold') }),
    );
  });

  test('what was recorded is graded again without a model, until the question is another', async () => {
    expect((await judged('--record', 'recorded', '--no-record')).code).toBe(0);
    const live = variant()?.cases;
    const asked = model.count();
    verdict = 'gone';
    const replayed = await judged('--replay', 'recorded', '--fail-below', '1');
    expect([replayed.code, model.count()], replayed.err).toEqual([0, asked]);
    expect(variant()?.cases.map(({ case: name, outcome }) => [name, outcome])).toEqual(
      live?.map(({ case: name, outcome }) => [name, outcome]),
    );
    const path = '/blueprints/ai_eval_case/entities/polite';
    await api('PATCH', path, { properties: { question: 'And how are you now?' } });
    const stale = await judged('--replay', 'recorded');
    expect([stale.code, stale.err, model.count()]).toEqual([2, expect.stringContaining('eval_recording_stale'), asked]);
    await api('PATCH', path, { properties: { question: 'How are you?' } });
    const missing = await called('--tag', 'judged', '--replay', 'nowhere');
    expect([missing.code, missing.err]).toEqual([2, expect.stringContaining('eval_recording_missing')]);
  });

  test('a blueprint of runs from before there were judges takes a run in which one cannot tell', async () => {
    await api('PATCH', '/blueprints/ai_eval_run', { schema: { properties: { undecided: null } } });
    verdict = '{"verdict": "cannot tell", "reason": "It is short."}';
    const ended = await judged();
    expect(ended.code, ended.err).toBe(0);
    expect(ended.err).not.toContain('not kept');
    expect(variant()?.counts).toMatchObject({ right: 0, undecided: 1 });
    const { entities } = await api('GET', '/blueprints/ai_eval_run/entities');
    expect(entities).toHaveLength(1);
    expect(entities[0].properties).toMatchObject({ variant: 'as set up', cases: 1, right: 0 });
  });
});
