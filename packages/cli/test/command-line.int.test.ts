import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { run } from '../src/run.ts';
import { onlyOn } from './only-on.ts';
import { type EndedProcess, portolan, type ServerProcess, startCuttingProxy, startServer } from './processes.ts';
import { createTestContext } from './test-context.ts';

/** The demo's services that nobody owns; `geo.tiles` has a title of its own. */
const unowned = ['geo.tiles', 'Map Tiles', 'dock-scheduler', 'edi-bridge'];
const question = 'which services have no owner?';

test('without a server, ask ends with 3 and says how to start it', async () => {
  const environment = { PORT: '1999', PORTOLAN_CLIENT_ID: 'client', PORTOLAN_CLIENT_SECRET: 'secret' };
  expect(await portolan(['ask', question], environment)).toEqual({
    code: 3,
    out: '',
    err: 'portolan: server_unreachable: No server listens at http://127.0.0.1:1999. Start it with "npm start", or name another with --url or PORTOLAN_URL.\n',
  });
});

onlyOn('embedded', 'the command line sees the API alone, whatever stores the catalog', () => {
  let server: ServerProcess;
  let folder = '';
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'portolan-cli-'));
    server = await startServer();
  });
  afterAll(async () => {
    await server?.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  /** As someone has it who started the server in this folder. */
  const here = (): Record<string, string> => ({ PORTOLAN_URL: server.address, PORTOLAN_DATA_DIR: server.dataDir });

  /** The same command within this process: a process for each call is slow, and two tests below prove it. */
  async function called(given: readonly string[], environment: Record<string, string>): Promise<EndedProcess> {
    const { context, out, err } = createTestContext({ fetch, environment });
    return { code: await run(given, context), out: out(), err: err() };
  }

  describe('ask', () => {
    test('prints the answer, found in the catalog', async () => {
      const { code, out, err } = await portolan(['ask', question], here());
      expect({ code, err }).toEqual({ code: 0, err: '' });
      for (const name of unowned) expect(out).toContain(name);
      expect(out.endsWith('\n')).toBe(true);
    });

    test('--json prints the events, the identifier first and done last', async () => {
      const { code, out } = await portolan(['ask', '--json', '--label', 'team=platform', question], here());
      expect(code).toBe(0);
      const events = out
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line) as { id: string; event: string; data: unknown });
      expect(events[0]).toEqual({
        id: `${events[0]?.data}:1`,
        event: 'invocationIdentifier',
        data: expect.any(String),
      });
      expect(events.at(-1)).toMatchObject({ event: 'done', data: { status: 'Completed' } });
      expect(new Set(events.map(({ event }) => event))).toEqual(
        new Set(['invocationIdentifier', 'tool_call', 'tool_result', 'text_delta', 'execution', 'done']),
      );
    });

    test('survives connections that break, and says everything once', async () => {
      const whole = await called(['ask', question], here());
      const proxy = await startCuttingProxy(server.address, [
        'event: invocationIdentifier',
        'event: tool_result',
        '"text":"- **D',
        'event: done',
      ]);
      try {
        const broken = await called(['ask', question], { ...here(), PORTOLAN_URL: proxy.address });
        expect(proxy.cuts()).toBe(4);
        expect(broken).toEqual(whole);
      } finally {
        await proxy.stop();
      }
    });

    test('with a wrong secret ends with 4 and a sentence', async () => {
      const given = ['ask', question, '--client-id', 'client', '--client-secret', 'wrong'];
      const { code, out, err } = await called(given, here());
      expect({ code, out }).toEqual({ code: 4, out: '' });
      expect(err).toMatch(/^portolan: unauthorized: .+\n$/);
    });
  });

  test('doctor finds a demo installation in order', async () => {
    const { code, out } = await called(['doctor', '--ask', '--json'], here());
    expect(code).toBe(0);
    const report = JSON.parse(out) as { ok: boolean; model: object; checks: { status: string }[] };
    expect(report).toMatchObject({ ok: true, model: { provider: 'built-in', isLanguageModel: false } });
    expect(report.checks.map(({ status }) => status)).toEqual(['ok', 'ok', 'ok', 'ok', 'ok', 'ok']);
  });

  test('a catalog goes to a new organization and comes back the same', async () => {
    const created = await called(['org', 'create', 'Second', '--json'], here());
    const { organization, credentials } = JSON.parse(created.out) as {
      organization: { id: string };
      credentials: { clientId: string; clientSecret: string };
    };
    const second = {
      ...here(),
      PORTOLAN_CLIENT_ID: credentials.clientId,
      PORTOLAN_CLIENT_SECRET: credentials.clientSecret,
    };
    const [before, after] = [join(folder, 'before.jsonl'), join(folder, 'after.jsonl')];
    expect((await called(['export', '--output', before], here())).code).toBe(0);
    const imported = await called(['import', before, '--json'], second);
    expect(JSON.parse(imported.out)).toMatchObject({ ok: true, problems: [] });
    expect((await called(['export', '--output', after], second)).code).toBe(0);
    expect(readLines(after)).toEqual(readLines(before));
    const again = await called(['import', after, '--dry-run', '--json'], second);
    expect(JSON.parse(again.out)).toMatchObject({
      ok: true,
      plan: {
        blueprints: { create: [], update: [] },
        entities: { create: 0, unchecked: 0 },
        portal: { create: [], update: [], unchanged: expect.arrayContaining(['action retire_service', 'page $home']) },
      },
    });
    const deleted = await called(['org', 'delete', organization.id, '--yes'], here());
    expect(deleted).toMatchObject({ code: 0, out: `${organization.id} is deleted.\n` });
  });

  test('a catalog of before users and teams were blueprints keeps its owners in a new organization', async () => {
    const organization = async (...given: string[]) => {
      const created = await called(['org', 'create', 'Another', '--json', ...given], here());
      const { credentials } = JSON.parse(created.out) as { credentials: { clientId: string; clientSecret: string } };
      const { clientId, clientSecret } = credentials;
      const environment = { ...here(), PORTOLAN_CLIENT_ID: clientId, PORTOLAN_CLIENT_SECRET: clientSecret };
      const json = { 'content-type': 'application/json' };
      const login = { method: 'POST', headers: json, body: JSON.stringify(credentials) };
      const token = await (await fetch(`${server.address}/v1/auth/access_token`, login)).json();
      const headers = { ...json, authorization: `Bearer ${(token as { accessToken: string }).accessToken}` };
      const ask = async (method: string, path: string, body?: object) => {
        const sent = { method, headers, ...(body ? { body: JSON.stringify(body) } : {}) };
        const answer = await fetch(`${server.address}/v1${path}`, sent);
        expect(answer.ok, `${method} ${path}`).toBe(true);
        return (await answer.json()) as { entity: { team: string[] }; blueprint: { ownership?: object } };
      };
      return { environment, ask };
    };
    const old = await organization('--model', 'legacy');
    const schema = { properties: {} };
    await old.ask('POST', '/teams', { name: 'sre' });
    await old.ask('POST', '/blueprints', { identifier: 'checkout', title: 'Checkout', schema });
    const relations = { of: { target: 'checkout', required: false, many: false } };
    const pod = { identifier: 'pod', title: 'Pod', schema, relations, teamInheritance: { path: 'of' } };
    await old.ask('POST', '/blueprints', pod);
    await old.ask('POST', '/blueprints/checkout/entities', { identifier: 'cart', team: ['sre'] });
    await old.ask('POST', '/blueprints/pod/entities', { identifier: 'p', relations: { of: 'cart' } });
    const file = join(folder, 'old.jsonl');
    expect((await called(['export', '--output', file], old.environment)).code).toBe(0);

    const next = await organization();
    await next.ask('POST', '/teams', { name: 'sre' });
    const { code, out, err } = await called(['import', file], next.environment);
    expect({ code, err }, out).toEqual({
      code: 0,
      err: expect.stringMatching(
        /^line \d+ \(checkout\): its entities .+\nline \d+ \(pod\): teamInheritance along "of" .+\n$/,
      ),
    });
    expect((await next.ask('GET', '/blueprints/pod')).blueprint.ownership).toEqual({ type: 'Inherited', path: 'of' });
    for (const [blueprint, entity] of [
      ['checkout', 'cart'],
      ['pod', 'p'],
    ]) {
      expect((await next.ask('GET', `/blueprints/${blueprint}/entities/${entity}`)).entity.team).toEqual(['sre']);
    }
    const again = await called(['import', file, '--json'], next.environment);
    expect(JSON.parse(again.out)).toMatchObject({
      ok: true,
      notes: [],
      plan: { blueprints: { create: [], update: [] } },
    });
  });

  test('a demo is added beside an organization, and removed by its name alone', async () => {
    const added = await called(['demo', 'add', '--json'], here());
    expect(JSON.parse(added.out)).toMatchObject({ demo: { name: 'Halyard Freight', isBeingRemoved: false } });
    expect((await called(['demo', 'show'], here())).out).toContain('Halyard Freight');
    const wrong = await called(['demo', 'remove', '--confirm', 'halyard'], here());
    expect([wrong.code, wrong.err]).toEqual([1, expect.stringContaining('must be the name of the demo')]);
    expect((await called(['demo', 'remove', '--confirm', 'Halyard Freight'], here())).code).toBe(0);
    expect((await called(['demo', 'add'], here())).code).toBe(0);
  });

  test('a source is tried, saved, listed, and tried again with its own secrets', async () => {
    const add = ['source', 'add', 'gitea', '--set', 'url=http://127.0.0.1:9', '--set', 'owners=acme'];
    const secret = ['--secret-env', 'token=TOKEN_OF_THE_TEST'];
    const environment = { ...here(), TOKEN_OF_THE_TEST: 'a token' };
    const tried = await called([...add, ...secret], environment);
    expect([tried.code, tried.err]).toEqual([1, expect.stringContaining('Nothing was saved')]);
    expect((await called([...add, ...secret, '--no-check', '--identifier', 'git'], environment)).code).toBe(0);
    expect((await called(['source', 'list'], here())).out).toMatch(/^git +gitea /m);
    expect((await called(['source', 'check', 'git'], here())).code).toBe(1);
  });

  test('an import names the line and the reason, and writes nothing', async () => {
    const file = join(folder, 'wrong.jsonl');
    writeFileSync(file, '{"entity":{"blueprint":"service","identifier":"x","relations":{"domain":"gone"}}}\n');
    const { code, err } = await called(['import', file], here());
    expect(code).toBe(5);
    expect(err).toMatch(/^line 1 \(service\/x\): invalid_request: /);
  });
});

/** Of one organization the order of creation, of the other that of the import: only the lines are compared. */
function readLines(file: string): string[] {
  return readFileSync(file, 'utf8').split('\n').sort();
}
