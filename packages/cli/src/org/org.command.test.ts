import { describe, expect, test } from 'vitest';
import { type Handler, json, refusal, scriptedFetch } from '../../test/scripted-fetch.ts';
import { createTestContext } from '../../test/test-context.ts';
import { run } from '../run.ts';

const organization = {
  id: 'org_1',
  name: 'Acme Logistics',
  model: 'blueprints',
  cutover: { stage: 'cutover', operatorUpdated: true },
  plan: 'standard',
  quotas: { monthlyInvocations: 100, hourlyRequests: 10, hourlyTokens: 1000 },
  createdAt: '2030-01-02T03:04:05.000Z',
  updatedAt: '2030-01-02T03:04:05.000Z',
};
const collection = '/v1/operator/organizations';

async function org(given: readonly string[], script: Record<string, Handler | readonly Handler[]> = {}) {
  const { fetch, seen } = scriptedFetch(script);
  const { context, out, err } = createTestContext({ fetch });
  return { code: await run(['org', ...given], context), out: out(), err: err(), seen };
}

test('list reads every page, with the operator token', async () => {
  const { out, seen } = await org(['list'], {
    [`GET ${collection}`]: [
      () => json({ ok: true, organizations: [organization], next: 'org_1' }),
      () => json({ ok: true, organizations: [{ ...organization, id: 'org_22', name: 'B' }] }),
    ],
  });
  expect(out).toBe(`ID      NAME            MODEL       STAGE    PLAN      CREATED
org_1   Acme Logistics  blueprints  cutover  standard  2030-01-02
org_22  B               blueprints  cutover  standard  2030-01-02
`);
  expect(seen.map(({ query, headers }) => [query['from'], headers.get('authorization')])).toEqual([
    [undefined, 'Bearer operator'],
    ['org_1', 'Bearer operator'],
  ]);
});

test('list --json is one document', async () => {
  const { out } = await org(['list', '--json'], {
    [`GET ${collection}`]: () => json({ ok: true, organizations: [organization] }),
  });
  expect(JSON.parse(out)).toEqual({ organizations: [organization] });
});

test('create sends what was given and shows the credentials once', async () => {
  const credentials = { clientId: 'client_1', clientSecret: 's3cret' };
  const script = { [`POST ${collection}`]: () => json({ ok: true, organization, credentials }, 201) };
  const { out, seen } = await org(['create', 'Acme Logistics', '--model', 'legacy', '--stage', 'legacy'], script);
  expect(seen[0]?.body).toEqual({ name: 'Acme Logistics', model: 'legacy', cutover: { stage: 'legacy' } });
  expect(out.split('\n').slice(-4)).toEqual([
    'Shown once, and never again:',
    'client id      client_1',
    'client secret  s3cret',
    '',
  ]);
  expect(JSON.parse((await org(['create', 'A', '--json'], script)).out)).toEqual({ organization, credentials });
});

test('show prints one organization, and when it reached its first steps', async () => {
  const { out } = await org(['show', 'org_1'], {
    [`GET ${collection}/org_1`]: () =>
      json({ ok: true, organization, milestones: { data: '2026-11-23T10:00:00.000Z' } }),
  });
  expect(out).toContain('plan                 standard\n');
  expect(out).toContain('first data  2026-11-23T10:00:00.000Z\n');
});

test('delete needs --yes', async () => {
  const script = { [`DELETE ${collection}/org_1`]: () => json({ ok: true }) };
  const unsure = await org(['delete', 'org_1'], script);
  expect([unsure.code, unsure.seen]).toEqual([2, []]);
  expect(unsure.err).toContain('This deletes org_1 with everything in it, for good.');
  const sure = await org(['delete', 'org_1', '--yes'], script);
  expect([sure.code, sure.out]).toEqual([0, 'org_1 is deleted.\n']);
});

describe('a wrong call sends nothing', () => {
  test.each([
    [[], '"org " is not known. There are: list, create, show, delete, export, import, verify, freeze, thaw.'],
    [['rename'], '"org rename" is not known.'],
    [['toString'], '"org toString" is not known.'],
    [['create'], 'Name the organization'],
    [['create', 'Acme', 'Logistics'], '"Logistics" is one word too many.'],
    [['create', 'Acme', '--plan', 'gold'], '--plan "gold" is not known. There are: free, standard, enterprise.'],
    [['show'], 'Give the id of the organization'],
  ])('%j', async (given, sentence) => {
    const { code, err, seen } = await org(given);
    expect({ code, seen }).toEqual({ code: 2, seen: [] });
    expect(err).toContain(sentence);
  });
});

test('a refused operator token ends with 4 and names the setting', async () => {
  const { code, err } = await org(['list'], {
    [`GET ${collection}`]: () => refusal(401, 'unauthorized', 'This needs the operator token of the installation'),
  });
  expect(code).toBe(4);
  expect(err).toBe(
    'portolan: unauthorized: This needs the operator token of the installation. Set PORTOLAN_OPERATOR_TOKEN as the server has it.\n',
  );
});

describe('moving an organization', () => {
  async function moved(given: readonly string[], ends = 0) {
    const { fetch, seen } = scriptedFetch({});
    const { context, err, ran } = createTestContext({ fetch, workingDirectory: '/here', ends });
    return { code: await run(['org', ...given], context), err: err(), ran, asked: seen.length };
  }

  test('is left to the program of the server, and no address stands among the arguments', async () => {
    const database = 'postgresql://portolan:secret@db/portolan';
    const out = ['export', 'org_1', '--to', 'acme.pto', '--passphrase-file', 'phrase', '--database', database];
    expect(await moved(out)).toMatchObject({
      code: 0,
      asked: 0,
      ran: [['export', 'org_1', '--to', '/here/acme.pto', '--passphrase-file', '/here/phrase', '--database', database]],
    });
    const into = ['import', 'acme.pto', '--passphrase-file', '/phrase', '--data-dir', 'new', '--dry-run', '--json'];
    expect(await moved(into, 1)).toMatchObject({
      code: 1,
      ran: [
        ['import', '/here/acme.pto', '--passphrase-file', '/phrase', '--dry-run', '--json', '--data-dir', '/here/new'],
      ],
    });
    expect((await moved(['thaw', 'org_1', '--data-dir', '/d'])).ran).toEqual([['thaw', 'org_1', '--data-dir', '/d']]);
    expect((await moved(['verify', 'acme.pto'])).ran).toEqual([['verify', '/here/acme.pto']]);
  });

  test.each([
    [['export'], 'Give the id of the organization'],
    [['export', 'org_1', '--data-dir', 'd', '--passphrase-file', 'p'], 'Say where to write'],
    [['export', 'org_1', '--to', 'f', '--passphrase-file', 'p'], 'Say which database'],
    [['export', 'org_1', '--to', 'f', '--data-dir', 'd'], 'Give --passphrase-file'],
    [['export', 'org_1', '--to', 'f', '--data-dir', 'd', '--database', 'postgresql://h/d'], 'not both'],
    [['export', 'org_1', '--to', 'f', '--data-dir', 'd', '--passphrase-file', 'p', '--dry-run'], '--dry-run is for'],
    [['import'], 'Name the file'],
    [['import', 'f', '--to', 'g', '--data-dir', 'd', '--passphrase-file', 'p'], '--to is for'],
    [['import', 'f', 'g'], 'one word too many'],
    [['freeze'], 'Give the id'],
    [['thaw', 'org_1'], 'Say which database'],
    [['import', 'f', '--freeze', '--data-dir', 'd', '--passphrase-file', 'p'], '--freeze is for'],
    [['verify', 'f', '--data-dir', 'd'], 'needs no database'],
  ])('a wrong call does nothing: %j', async (given, sentence) => {
    expect(await moved(given)).toMatchObject({ code: 2, err: expect.stringContaining(sentence), ran: [], asked: 0 });
  });
});
