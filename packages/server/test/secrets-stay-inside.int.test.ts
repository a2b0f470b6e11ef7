import { operations } from '@portolan/contract/operations';
import sql, { raw } from 'sql-template-tag';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createCanaries } from './canaries.ts';
import { type PlantedSecrets, plantSecrets } from './planted-secrets.ts';

let planted: PlantedSecrets;
beforeAll(async () => {
  planted = await plantSecrets();
}, 240_000);
afterAll(() => planted?.close());

/** Everything that can be read without knowing more than what was done here. */
async function readable(token: string): Promise<string[]> {
  const reads = operations.filter(
    ({ method, path, access }) => method === 'GET' && !path.includes('{') && access !== 'operator',
  );
  const paths = [
    ...reads.map(({ path }) => path).filter((path) => !/oidc|live|changes\/stream|\/v1\/events$/.test(path)),
    ...planted.runIds.flatMap((id) =>
      ['', '?version=v2', '/logs', '/approvers', '/affected-entities'].map((rest) => `/v1/actions/runs/${id}${rest}`),
    ),
    '/v1/audit-log?limit=1000',
    '/v1/actions/runs?limit=100&version=v2',
    '/v1/blueprints/_user/entities',
    '/v1/blueprints/_team/entities',
    '/v1/blueprints/_ai_invocations/entities',
  ];
  const texts: string[] = [];
  for (const path of paths) {
    const answer = await planted.app.app.http.inject({
      method: 'GET',
      url: path,
      headers: { authorization: `Bearer ${token}` },
    });
    texts.push(`${path} ${answer.body}`);
  }
  return texts;
}

/** Where each was found, once. */
function found(texts: readonly string[], where: (text: string) => string): string[] {
  return [
    ...new Set(texts.flatMap((text) => planted.canaries.foundIn(text).map((kind) => `${where(text)}: ${kind}`))),
  ].sort();
}

/** Administrators are shown an address, and the secret of a webhook, as they wrote them. */
const asWritten = [
  /^\/v1\/organization\/changelog-destinations: address of a changelog destination/,
  /^\/v1\/webhooks: secret of (a webhook|the organization)/,
];

test('in the database', async () => {
  const tables = await planted.app.database.rows<{ name: string }>(sql`
    select relname as name from pg_class where relkind in ('r', 'p') and relnamespace = current_schema()::regnamespace`);
  const leaks: string[] = [];
  for (const { name } of tables) {
    const rows = await planted.app.database.rows<{ text: string }>(
      sql`select t::text as text from ${raw(name)} t /* all organizations */`,
    );
    leaks.push(
      ...found(
        rows.map(({ text }) => text),
        () => name,
      ),
    );
  }
  // the address that events are sent to, as it was written
  expect(leaks.filter((leak) => !/^changelog_destinations: address of/.test(leak))).toEqual([]);
});

test('in what is planted.logged', () => {
  expect(planted.logged.length).toBeGreaterThan(5);
  expect(found(planted.logged, () => 'log')).toEqual([]);
});

test('in the planted.answers to what was done', () => {
  expect(planted.answers.length).toBeGreaterThan(30);
  expect(found(planted.answers, (text) => text.slice(0, 300))).toEqual([]);
});

test('in anything that an administrator can read', async () => {
  const leaks = found(await readable(planted.app.organization.token), (text) => text.split(' ')[0] as string);
  expect(leaks.filter((leak) => !asWritten.some((known) => known.test(leak)))).toEqual([]);
});

test('in anything that a member can read', async () => {
  const token = await planted.app.organization.memberToken();
  expect(found(await readable(token), (text) => text.split(' ')[0] as string)).toEqual([]);
});

test('in metrics, mails and spans', async () => {
  const metrics = await planted.app.app.http.inject({ method: 'GET', url: '/metrics' });
  const mails = planted.smtp.taken.map(({ content }) => content);
  const spans = planted.receiver.received.filter(({ path }) => path.startsWith('/otel')).map(({ body }) => body);
  expect([metrics.statusCode, mails.length > 0, spans.length > 0]).toEqual([200, true, true]);
  // of requests, jobs, transactions and calls
  for (const name of ['"POST /v1/', '"job ', '"transaction"', '"POST"', '"invoke_agent"'])
    expect(
      spans.some((body) => body.includes(`"name":${name}`)),
      name,
    ).toBe(true);
  expect(found([metrics.body, ...mails, ...spans], (text) => text.slice(0, 300))).toEqual([]);
});

test('the search itself finds a canary in every encoding, and what is sent holds them', () => {
  const search = createCanaries();
  const value = search.plant('one');
  const written = [value, value.toLowerCase(), encodeURIComponent(value), Buffer.from(value).toString('hex')];
  for (const before of ['', 'a', 'ab', 'abc']) written.push(Buffer.from(`${before}${value}z`).toString('base64'));
  for (const text of [...written, value.slice(0, 12), value.slice(-12)])
    expect(search.foundIn(`x ${text} y`)).not.toEqual([]);
  const sent = planted.receiver.received.map((request) => JSON.stringify(request)).join('\n');
  expect(new Set(planted.canaries.foundIn(sent).map((each) => each.replace(/ (as|in) .*/, ''))).size).toBeGreaterThan(
    8,
  );
});
