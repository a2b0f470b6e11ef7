import { pino } from 'pino';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { createTestApp, type TestApp } from '../../../../test/build-test-app.ts';
import { createEntity, unique } from '../../../../test/catalog-fixtures.ts';
import { type SmtpServer, startSmtpServer } from '../../../../test/smtp-server.ts';
import { createSmtpMailer } from '../../../platform/mail/mailer.ts';

const from = 'portal@acme.example';
const log = pino({ level: 'silent' }) as Parameters<typeof createSmtpMailer>[0]['log'];

let smtp: SmtpServer;
let app: TestApp;
beforeAll(async () => {
  smtp = await startSmtpServer();
  const url = `smtp://post:its%20secret@${smtp.address}`;
  app = await createTestApp({ mailer: createSmtpMailer({ url, from, log }) });
});
afterAll(async () => {
  await app.close();
  await smtp.close();
});
beforeEach(() => {
  smtp.taken.length = 0;
  smtp.answer = () => undefined;
});

async function person(status = 'Active'): Promise<string> {
  const identifier = `${unique('jo').toLowerCase()}@acme.example`;
  await createEntity(app.request, '_user', { identifier, properties: { status, port_role: 'Member' } });
  return identifier;
}

async function waitingRun(users: readonly string[], more: object = {}, properties: object = {}): Promise<string> {
  const identifier = unique('act');
  const trigger = {
    type: 'self-service',
    operation: 'CREATE',
    userInputs: { properties: { password: { type: 'string' } } },
  };
  const invocationMethod = { type: 'WEBHOOK', url: 'http://127.0.0.1:9/hook' };
  const body = { identifier, trigger, invocationMethod, requiredApproval: true, ...more };
  const created = await app.request('POST', '/v1/actions', { body });
  expect(created.status, JSON.stringify(created.body)).toBe(201);
  const approve = { users, roles: [], teams: [] };
  const changed = await app.request('PATCH', `/v1/actions/${identifier}/permissions`, { body: { approve } });
  expect(changed.status, JSON.stringify(changed.body)).toBe(200);
  const started = await app.request('POST', `/v1/actions/${identifier}/runs`, { body: { properties } });
  expect(started.status, JSON.stringify(started.body)).toBe(202);
  await app.app.jobs.drain();
  return started.body.run.id;
}

const readLogs = async (id: string): Promise<string[]> =>
  (await app.request('GET', `/v1/actions/runs/${id}/logs`)).body.runLogs.map(
    ({ message }: { message: string }) => message,
  );

test.each([undefined, { type: 'email' }])('approvers get one message, and none sees another: %j', async (wanted) => {
  const users = [await person(), await person()];
  const more = { title: 'Drop it', ...(wanted ? { approvalNotification: wanted } : {}) };
  const id = await waitingRun(users, more, { password: 'hush-hush' });
  const [mail, ...others] = smtp.taken;
  expect([others, mail?.user, mail?.from]).toEqual([[], 'post', from]);
  expect([...(mail?.to ?? [])].sort()).toEqual([...users].sort());
  const content = mail?.content ?? '';
  expect(content).toContain('Subject: Approval needed: Drop it\n');
  expect(content).toContain(`http://127.0.0.1:3000/runs/${id}`);
  expect(content).toContain(`Message-ID: <${id}.0@acme.example>`);
  for (const hidden of [...users, 'hush-hush']) expect(content).not.toContain(hidden);
  expect(await readLogs(id)).toEqual(['An e-mail was sent to 2 approvers']);
});

test('a title cannot add a header, a line, a recipient or an end of the message', async () => {
  const user = await person();
  const title = 'Go\r\nBcc: eve@evil.example\r\n\r\n.\r\nMAIL FROM:<eve@evil.example>';
  await waitingRun([user], { title });
  expect(smtp.taken.map(({ to, from: sender }) => [sender, to])).toEqual([[from, [user]]]);
  const head = (smtp.taken[0]?.content ?? '').split('\n\n')[0] ?? '';
  expect(head).not.toMatch(/^bcc:/im);
  expect(smtp.taken[0]?.content).not.toMatch(/^\.$/m);
});

test('more approvers than a server must take at once are told in parts', async () => {
  const users: string[] = [];
  // one after the other: at once, a busy machine refuses some of them
  for (let each = 0; each < 120; each += 1) users.push(await person());
  const id = await waitingRun(users);
  expect(smtp.taken.map(({ to }) => to.length)).toEqual([100, 20]);
  expect(new Set(smtp.taken.flatMap(({ to }) => to))).toEqual(new Set(users));
  expect(await readLogs(id)).toEqual(['An e-mail was sent to 120 approvers']);
}, 60_000);

test('a recipient that the server refuses does not keep the others from being told', async () => {
  const users = [await person(), await person()];
  smtp.answer = (command) => (command.includes(`RCPT TO:<${users[0]}>`) ? '550 unknown' : undefined);
  const id = await waitingRun(users);
  expect(smtp.taken.map(({ to }) => to)).toEqual([[users[1]]]);
  expect(await readLogs(id)).toEqual(['An e-mail was sent to 2 approvers; the mail server refused 1 of them']);
});

test('a server that is busy is asked again, one that refuses is not, and neither is named to whoever reads', async () => {
  const user = await person();
  smtp.answer = (command) => (/^MAIL/.test(command) ? '451 later, says mx-17.inside' : undefined);
  const busy = await waitingRun([user]);
  expect(await readLogs(busy)).toEqual([
    'The approvers were not told by e-mail: the mail server answered 451; it is tried again',
  ]);
  smtp.answer = () => undefined;
  app.clock.advance(3_600_000);
  await app.app.jobs.drain();
  expect(smtp.taken.map(({ to }) => to)).toEqual([[user]]);
  smtp.answer = (command) => (/^AUTH/.test(command) ? '535 no, post' : undefined);
  const refused = await waitingRun([user]);
  expect(await readLogs(refused)).toEqual(['The approvers were not told by e-mail: the mail server answered 535']);
});

test('people whom only a policy names are not written to', async () => {
  const user = await person();
  const identifier = unique('act');
  const trigger = { type: 'self-service', operation: 'CREATE', userInputs: { properties: {} } };
  const invocationMethod = { type: 'WEBHOOK', url: 'http://127.0.0.1:9/hook' };
  const body = { identifier, trigger, invocationMethod, requiredApproval: true };
  await app.request('POST', '/v1/actions', { body });
  const query = { combinator: 'and', rules: [{ property: '$identifier', operator: '=', value: user }] };
  const policy = { queries: { people: query }, conditions: [`["${user}"]`] };
  const approve = { users: [], roles: [], teams: [], policy };
  const changed = await app.request('PATCH', `/v1/actions/${identifier}/permissions`, { body: { approve } });
  expect(changed.status, JSON.stringify(changed.body)).toBe(200);
  const { run } = (await app.request('POST', `/v1/actions/${identifier}/runs`, { body: { properties: {} } })).body;
  await app.app.jobs.drain();
  expect(smtp.taken).toEqual([]);
  expect(await readLogs(run.id)).toEqual([expect.stringContaining('nobody is listed')]);
});

test('a server that is away may take it later', async () => {
  const away = await startSmtpServer();
  await away.close();
  const mailer = createSmtpMailer({ url: `smtp://${away.address}`, from, log });
  const mail = { to: ['a@acme.example'], subject: 's', text: 't', about: 'r' };
  const failure = { message: 'the mail server cannot be reached', canRetry: true };
  await expect(mailer.send(mail)).rejects.toMatchObject(failure);
});
