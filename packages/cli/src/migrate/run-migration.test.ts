import { expect, test } from 'vitest';
import { createTestContext } from '../../test/test-context.ts';
import { run } from '../run.ts';

const path = '/v1/blueprints/system/users-and-teams-as-blueprints';

/** A server that answers each operation from its list, repeating the last answer, and records the requests. */
function scripted(answers: Readonly<Record<string, readonly object[]>>) {
  const seen: { readonly what: string; readonly body: unknown }[] = [];
  const asked = new Map<string, number>();
  const fetch: typeof globalThis.fetch = async (address, init) => {
    const { pathname } = new URL(String(address));
    if (pathname.endsWith('/auth/access_token')) {
      return Response.json({ ok: true, accessToken: 'x', expiresIn: 3600, tokenType: 'Bearer' });
    }
    const what = `${init?.method ?? 'GET'} ${pathname.slice(path.length)}`.trim();
    seen.push({ what, body: init?.body ? JSON.parse(String(init.body)) : undefined });
    const list = answers[what] ?? [];
    const at = asked.get(what) ?? 0;
    asked.set(what, at + 1);
    return Response.json({ ok: true, ...list[Math.min(at, list.length - 1)] });
  };
  return { fetch, seen };
}

async function called(given: readonly string[], answers: Readonly<Record<string, readonly object[]>>) {
  const { fetch, seen } = scripted(answers);
  const { context, out, err, waits } = createTestContext({ fetch });
  const code = await run(['migrate', ...given], context);
  return { code, out: out(), err: err(), waits, seen };
}

const migrationId = 'm_1';

test('start follows to the end, and tells each stage once', async () => {
  const state = (status: string, stage: string, counts = {}) => ({ status, stage, counts, migrationId });
  const prepared = state('RUNNING', 'PREPARING', { 'entities:svc': 40, 'entities:api': 2 });
  const { code, out, err, waits } = await called(['start'], {
    POST: [{ status: 'PENDING', migrationId }],
    GET: [state('PENDING', 'PREFLIGHT'), prepared, prepared, state('COMPLETED', 'DONE')],
  });
  expect({ code, out, err, waits }).toEqual({
    code: 0,
    out: 'COMPLETED m_1\n',
    err: 'PENDING m_1 PREFLIGHT\nRUNNING m_1 PREPARING (42 entities prepared)\n',
    waits: [1_000, 1_000, 1_000],
  });
});

test('start that is detached waits for nothing', async () => {
  const { code, out, seen } = await called(['start', '--detach'], { POST: [{ status: 'PENDING', migrationId }] });
  expect([code, out, seen.map(({ what }) => what)]).toEqual([0, 'PENDING m_1\n', ['POST']]);
});

test('a rollback says that it was undone, and so does status afterwards', async () => {
  const undone = { status: 'ROLLED_BACK', stage: 'DONE', migrationId, undoUntil: '2026-01-01T00:00:00.000Z' };
  const sentence = 'It was undone: teams are named by their titles again. portolan migrate start migrates anew.\n';
  const answers = { 'POST /rollback': [{ status: 'RUNNING', migrationId }], GET: [undone] };
  expect(await called(['rollback'], answers)).toMatchObject({ code: 0, out: `ROLLED_BACK m_1\n${sentence}` });
  expect(await called(['status'], answers)).toMatchObject({ code: 0, out: `ROLLED_BACK m_1\n${sentence}` });
  const refused = { GET: [{ status: 'COMPLETED', migrationId, message: 'A team was added.' }] };
  const kept = await called(['rollback'], { ...answers, ...refused });
  expect([kept.code, kept.out]).toEqual([1, 'COMPLETED m_1\nA team was added.\n']);
});

test('status lists who still writes as before', async () => {
  const writer = {
    datasource: 'nightly-sync/3',
    by: 'client_1',
    resource: { kind: 'entity', identifier: 'svc' },
    blueprint: 'svc',
    relation: null,
    title: 'Payments Core',
    count: 3,
    firstSeen: '2026-01-01T00:00:00.000Z',
    lastSeen: '2026-01-02T00:00:00.000Z',
  };
  const { out } = await called(['status'], { GET: [{ status: 'COMPLETED', oldWriters: [writer] }] });
  expect(out).toBe(
    'COMPLETED\nStill written the old way:\n  nightly-sync/3 (client_1): the title "Payments Core" in entity svc, 3 times, last 2026-01-02T00:00:00.000Z\n',
  );
});

test('rehearse names who gains and loses what, and ends with 1 where somebody does', async () => {
  const checked = { people: 1, blueprints: 2, actions: 0, pages: 1, expressions: 4 };
  const same = { hash: 'h', gained: [], lost: [], dangling: [], expressions: [], checked, isCut: false };
  const none = await called(['rehearse'], { 'POST /rehearse': [{ rehearsal: same }] });
  expect([none.code, none.out]).toEqual([
    0,
    'Nobody gains or loses anything.\nCompared 1 person on 2 blueprints, 0 actions and 1 page; tried expressions 4 times.\n',
  ]);
  const lost = [{ kind: 'action', identifier: 'deploy', operation: 'execute', person: 'ana@acme.dev' }];
  const some = await called(['rehearse'], { 'POST /rehearse': [{ rehearsal: { ...same, lost } }] });
  expect(some.code).toBe(1);
  expect(some.out).toContain('Can now, and could not afterwards\n  ana@acme.dev: execute action deploy\n');
});

test('overrides change what is named and keep the rest', async () => {
  const choices = { identifiers: { SRE: 'sre-1', Gone: 'gone' }, acknowledged: ['X'] };
  const given = ['--identifier', 'Pay = Core=pay', '--duplicate', 'Ops=', '--forget', 'Gone'];
  const { code, out, seen } = await called(['overrides', ...given], {
    'GET /plan': [{ plan: { choices } }],
    'PUT /overrides': [{ choices: { identifiers: { 'Pay = Core': 'pay' }, duplicates: { Ops: null } } }],
  });
  expect(seen.at(-1)).toEqual({
    what: 'PUT /overrides',
    body: { identifiers: { SRE: 'sre-1', 'Pay = Core': 'pay' }, duplicates: { Ops: null }, acknowledged: ['X'] },
  });
  expect([code, out]).toEqual([0, '"Pay = Core" gets the identifier pay\n"Ops" means no team\n']);
  const shown = await called(['overrides'], { 'GET /plan': [{ plan: { choices: {} } }] });
  expect([shown.out, shown.seen.length]).toEqual(['Nothing was decided.\n', 1]);
  expect((await called(['overrides', '--identifier', 'Pay'], {})).code).toBe(2);
});
