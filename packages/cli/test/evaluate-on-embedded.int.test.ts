import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { EvalReport } from '@portolan/contract/evaluation';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { run } from '../src/run.ts';
import { onlyOn } from './only-on.ts';
import { type EndedProcess, portolan, type ServerProcess, startServer } from './processes.ts';
import { readXml } from './read-xml.ts';
import { createTestContext } from './test-context.ts';

onlyOn('embedded', 'an evaluation sees the API alone, whatever stores the catalog', () => {
  let server: ServerProcess;
  let folder = '';
  let ask: (method: string, path: string, body?: object) => Promise<ApiAnswer>;
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'portolan-eval-'));
    server = await startServer();
    ask = await signIn(server);
    const made = await called(['eval', 'init']);
    expect(made.out.match(/: made$/gm)).toHaveLength(5);
  });
  afterAll(async () => {
    await server?.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  const here = (): Record<string, string> => ({ PORTOLAN_URL: server.address, PORTOLAN_DATA_DIR: server.dataDir });

  async function called(given: readonly string[]): Promise<EndedProcess> {
    const { context, out, err } = createTestContext({ fetch, environment: here(), workingDirectory: folder });
    return { code: await run(given, context), out: out(), err: err() };
  }

  const addCase = (identifier: string, properties: object, agent?: string): Promise<unknown> =>
    ask('POST', '/blueprints/ai_eval_case/entities?upsert=true', {
      identifier,
      properties,
      ...(agent === undefined ? {} : { relations: { agent } }),
    });
  const report = (file: string): EvalReport => JSON.parse(readFileSync(join(folder, file), 'utf8'));

  test('init makes nothing twice', async () => {
    const again = await called(['eval', 'init']);
    expect(again).toMatchObject({ code: 0, err: '' });
    expect(again.out.split('\n').filter(Boolean)).toEqual([
      'blueprint ai_eval_case: is there already',
      'blueprint ai_eval_run: is there already',
      'case services-without-owner: is there already',
      'case number-of-services: is there already',
      'case owner-of-nothing: is there already',
    ]);
  });

  test('the examples pass the gate, in files that programs read', async () => {
    const files = ['--json', join(folder, 'all.json'), '--junit', join(folder, 'all.xml')];
    const ended = await portolan(['eval', '--tag', 'example', '--fail-below', '1', '--trials', '2', ...files], here());
    expect(ended.code, ended.err).toBe(0);
    expect(ended.out).toMatch(
      /^as set up \(built-in\/planner-1\) +3 of 3 \(100 %\) +44 % to 100 % +0 +0 +0 .+\$0\.00$/m,
    );
    const { run: label, variants } = report('all.json');
    expect(variants[0]?.cases.map(({ outcome, trials }) => [outcome, trials.length])).toEqual(
      Array(3).fill(['right', 2]),
    );
    const tests = readXml(readFileSync(join(folder, 'all.xml'), 'utf8')).filter(({ name }) => name === 'testcase');
    expect(tests.map(({ attributes }) => attributes['name']).sort()).toEqual([
      'number-of-services',
      'owner-of-nothing',
      'services-without-owner',
    ]);
    const { invocations } = await ask('GET', `/ai/invocations?label=_eval=${label}`);
    expect(invocations).toHaveLength(6);
    const { entity } = await ask('GET', `/blueprints/ai_eval_run/entities/${label}-1`);
    expect(entity.properties).toMatchObject({
      run: label,
      variant: 'as set up',
      share: 1,
      cases: 3,
      right: 3,
      wrong: 0,
    });
    expect(entity.properties.results).toContain('| number-of-services | right |  | [transcript](/ai/invocations/');
  });

  describe('a planted regression', () => {
    const questions: Record<string, object[]> = {
      'Which services are written in Go?': [
        { grader: 'query', blueprint: 'service', query: rule('language', '=', 'Go') },
        { grader: 'tool_called', tool: 'search_entities', arguments: { blueprint: 'service' } },
      ],
      'How many incidents are open?': [
        { grader: 'query', blueprint: 'incident', query: rule('status', '=', 'open'), compare: 'count' },
      ],
      'Who owns Invoicing?': [{ grader: 'contains', all: ['Billing & Rates'] }],
      'What language is Telemetry Ingest written in?': [{ grader: 'regex', pattern: '\\bRust\\b' }],
      'What does Customer Portal depend on?': [
        { grader: 'tool_called', tool: '(get|search|track)_' },
        { grader: 'not_called', tool: 'run_' },
      ],
      'What is the lifecycle of edi-bridge?': [{ grader: 'contains', any: ['deprecated'] }],
      'newest service': [{ grader: 'asks' }],
    };

    test('is a significant drop, and below the gate', async () => {
      for (const [index, [question, expected]] of Object.entries(questions).entries()) {
        await addCase(`catalog-${index}`, { question, expect: expected, tags: ['catalog'] });
      }
      const before = await called(['eval', '--tag', 'catalog', '--json', 'before.json', '--no-record']);
      expect(before.out).toContain('7 of 7 (100 %)');
      const same = await called([
        'eval',
        '--tag',
        'catalog',
        '--baseline',
        'before.json',
        '--fail-below',
        '1',
        '--no-record',
      ]);
      expect([same.code, same.out]).toEqual([0, expect.stringContaining('0 worse and 0 better of 7 cases')]);

      // somebody took its tools
      const properties = {
        prompt: 'Answer questions.',
        tools: ['^nothing$'],
        status: 'active',
        execution_mode: 'Automatic',
      };
      await ask('POST', '/blueprints/_ai_agent/entities', { identifier: 'mute', properties });
      const mute = ['eval', '--tag', 'catalog', '--as-agent', 'mute', '--no-record'];
      const dropped = await called([...mute, '--baseline', 'before.json', '--json', 'after.json']);
      expect([dropped.code, dropped.err]).toEqual([
        1,
        expect.stringContaining('agent mute: fewer are right than in the baseline'),
      ]);
      expect(report('after.json')).toMatchObject({ passed: false, variants: [{ counts: { right: 0, refused: 7 } }] });
      const below = await called([...mute, '--fail-below', '0.9']);
      expect([below.code, below.err]).toEqual([
        1,
        expect.stringContaining('0.0 % are right; --fail-below asks for 90 %'),
      ]);
    });
  });

  test('an agent that runs actions by itself only drafts them, and the drafts are declined', async () => {
    await ask('POST', '/blueprints', {
      identifier: 'sandbox',
      title: 'Sandbox',
      schema: { properties: {}, required: [] },
    });
    await ask('POST', '/actions', {
      identifier: 'open_sandbox',
      title: 'Open a sandbox',
      trigger: {
        type: 'self-service',
        operation: 'CREATE',
        userInputs: { properties: { name: { type: 'string' } }, required: ['name'] },
      },
      invocationMethod: {
        type: 'UPSERT_ENTITY',
        blueprintIdentifier: 'sandbox',
        mapping: { identifier: '{{ .inputs.name }}', title: '{{ .inputs.name }}' },
      },
    });
    const properties = { prompt: 'Act.', tools: ['^run_open_sandbox$'], status: 'active', execution_mode: 'Automatic' };
    await ask('POST', '/blueprints/_ai_agent/entities', { identifier: 'eager', properties });
    const request = (name: string) => `Run "Open a sandbox" name=${name}`;
    await addCase(
      'drafts',
      {
        question: request('blue'),
        expect: [
          { grader: 'draft_of', action: 'open_sandbox', properties: { name: 'blue' } },
          { grader: 'nothing_executed' },
        ],
        tags: ['actions'],
      },
      'eager',
    );
    const ended = await called(['eval', '--tag', 'actions', '--fail-below', '1', '--no-record']);
    expect(ended.code, ended.out).toBe(0);
    const { runs } = await ask('GET', '/actions/runs?action=open_sandbox');
    expect(runs.map(({ status }) => status)).toEqual(['DECLINED']);
    const sandboxes = async (): Promise<string[]> =>
      (await ask('GET', '/blueprints/sandbox/entities')).entities.map(({ identifier }) => identifier);
    expect(await sandboxes()).toEqual([]);

    // asked by a person, the same agent does execute
    await ask('POST', '/agent/eager/invoke?stream=false', { query: request('green') });
    await expect.poll(sandboxes, { timeout: 10_000 }).toEqual(['green']);
  });

  test('a case that is written wrong ends with 2 and its path, and nothing is asked', async () => {
    await addCase('wrong', {
      question: 'Why?',
      expect: [{ grader: 'asks' }, { grader: 'regex', pattern: '(' }],
      tags: [],
    });
    const before = (await ask('GET', '/ai/invocations?limit=200')).invocations.length;
    const ended = await called(['eval']);
    expect(ended.code).toBe(2);
    expect(ended.err).toMatch(
      /^portolan: eval_case_invalid: .+\n {2}wrong\/expect\/1\/pattern: is not a usable pattern: /,
    );
    expect((await ask('GET', '/ai/invocations?limit=200')).invocations).toHaveLength(before);
    await ask('DELETE', '/blueprints/ai_eval_case/entities/wrong');
  });

  test('a model that is not offered ends with 2 and says which one answered', async () => {
    const ended = await called(['eval', '--tag', 'example', '--model', 'openai/gpt-0', '--no-record']);
    expect([ended.code, ended.err]).toEqual([
      2,
      expect.stringContaining('The model openai/gpt-0 is not offered here; built-in/planner-1 answered in its place.'),
    ]);
  });
});

function rule(property: string, operator: string, value: string): object {
  return { combinator: 'and', rules: [{ property, operator, value }] };
}

/** The parts of answers that are read here. */
interface ApiAnswer {
  readonly invocations: readonly object[];
  readonly entity: { readonly properties: Readonly<Record<string, unknown>> };
  readonly entities: readonly { readonly identifier: string }[];
  readonly runs: readonly { readonly status: string }[];
}

/** The API as whoever has the data folder of the server. */
async function signIn({ address, dataDir }: ServerProcess) {
  const { clientId, clientSecret } = JSON.parse(readFileSync(join(dataDir, 'secrets.json'), 'utf8'));
  const json = { 'content-type': 'application/json' };
  const login = { method: 'POST', headers: json, body: JSON.stringify({ clientId, clientSecret }) };
  const { accessToken } = (await (await fetch(`${address}/v1/auth/access_token`, login)).json()) as {
    accessToken: string;
  };
  return async (method: string, path: string, body?: object): Promise<ApiAnswer> => {
    const headers = { authorization: `Bearer ${accessToken}`, ...(body ? json : {}) };
    const answer = await fetch(`${address}/v1${path}`, {
      method,
      headers,
      ...(body ? { body: JSON.stringify(body) } : {}),
    });
    const told = await answer.text();
    expect(answer.ok, `${method} ${path}: ${told}`).toBe(true);
    return JSON.parse(told) as ApiAnswer;
  };
}
