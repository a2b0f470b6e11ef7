import { pino } from 'pino';
import sql, { raw } from 'sql-template-tag';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { type Answer, createTestApp, type TestApp } from '../../../../test/build-test-app.ts';
import { blueprintBody, createEntity, unique } from '../../../../test/catalog-fixtures.ts';
import { type SmtpServer, startSmtpServer } from '../../../../test/smtp-server.ts';
import { createSmtpMailer } from '../../../platform/mail/mailer.ts';

const log = pino({ level: 'silent' }) as Parameters<typeof createSmtpMailer>[0]['log'];

let smtp: SmtpServer;
let app: TestApp;
beforeAll(async () => {
  smtp = await startSmtpServer();
  const url = `smtp://post:its%20secret@${smtp.address}`;
  app = await createTestApp({ mailer: createSmtpMailer({ url, from: 'portal@acme.dev', log }) });
  // so that another administrator may stop being one
  const properties = { status: 'Active', port_role: 'Admin' };
  await createEntity(app.request, '_user', { identifier: 'root@acme.dev', properties });
});
afterAll(async () => {
  await app.close();
  await smtp.close();
});
beforeEach(() => {
  smtp.taken.length = 0;
  smtp.answer = () => undefined;
});

const address = (): string => `${unique('guest').toLowerCase()}@acme.dev`;
const invite = (email: string, more: object = {}, token?: string): Promise<Answer> =>
  app.request('POST', '/v1/invitations', { body: { email, ...more }, ...(token ? { token } : {}) });
const redeem = (token: string): Promise<Answer> =>
  app.request('POST', '/v1/auth/password-links/redeem', {
    token: null,
    body: { token, password: 'correct horse battery' },
  });

async function mailState(email: string) {
  const { body } = await app.request('GET', '/v1/invitations');
  expect(body.canMail).toBe(true);
  return body.invitations.find((each: { email: string }) => each.email === email)?.mail;
}

/** The text of the last message, as a mail client shows it. */
function lastText(): string {
  const content = smtp.taken.at(-1)?.content ?? '';
  const body = content.slice(content.indexOf('\n\n'));
  return body
    .replaceAll(/=\n/g, '')
    .replaceAll(/=([0-9A-F]{2})/g, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)));
}

function mailedToken(): string {
  return /\/set-password#(\S+)/.exec(lastText())?.[1] ?? '';
}

test('the invited person gets a message with a link of its own, and either link ends both', async () => {
  const inviter = address();
  const properties = { status: 'Active', port_role: 'Admin' };
  await createEntity(app.request, '_user', { identifier: inviter, title: 'Ana Silva', properties });
  const email = address();
  const made = await invite(email, {}, await app.organization.personToken(inviter));
  expect(made.body.invitation.mail.state).toBe('waiting');
  await app.app.jobs.drain();
  expect(smtp.taken.map(({ to }) => to)).toEqual([[email]]);
  expect(lastText()).toContain('Ana Silva invites you to ');
  expect(lastText()).toMatch(/It works once, until \w+ \d+, \d{4} at \d+:\d\d [AP]M UTC/);
  expect(await mailState(email)).toMatchObject({ state: 'sent', at: expect.any(String) });
  expect(mailedToken()).not.toBe(made.body.link.token);
  expect((await redeem(mailedToken())).status).toBe(200);
  expect((await redeem(made.body.link.token)).status).toBe(401);
});

test('of the two links used at once, one lets in', async () => {
  const made = await invite(address());
  await app.app.jobs.drain();
  const answers = await Promise.all([redeem(mailedToken()), redeem(made.body.link.token)]);
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 401]);
});

test('the secret of the message is stored nowhere, neither before it is sent nor after', async () => {
  smtp.answer = (command) => (/^MAIL/.test(command) ? '451 later' : undefined);
  const email = address();
  await invite(email);
  await app.app.jobs.drain();
  expect(await mailState(email)).toMatchObject({ state: 'waiting', problem: 'the mail server answered 451' });
  smtp.answer = () => undefined;
  app.clock.advance(3_600_000);
  await app.app.jobs.drain();
  expect(await mailState(email)).toMatchObject({ state: 'sent', problem: null });
  const secret = mailedToken().split('.')[2] as string;
  expect(secret).toHaveLength(43);
  for (const table of await app.tenantTables()) {
    const rows = await app.database.rows<{ text: string }>(
      sql`select t::text as text from ${raw(`"${table}"`)} t /* all organizations */`,
    );
    expect(rows.filter(({ text }) => text.includes(secret))).toEqual([]);
  }
  expect((await redeem(mailedToken())).status).toBe(200);
});

test('a message that the server refuses is said to have failed, and the link to hand over still works', async () => {
  smtp.answer = (command) => (/^RCPT/.test(command) ? '550 unknown' : undefined);
  const email = address();
  const made = await invite(email);
  await app.app.jobs.drain();
  expect(await mailState(email)).toMatchObject({ state: 'failed', problem: 'the mail server answered 550' });
  expect((await redeem(made.body.link.token)).status).toBe(200);
});

test('a message that waits is not sent once the invitation was renewed, taken back or used', async () => {
  const renewed = address();
  await invite(renewed);
  await app.request('POST', `/v1/invitations/${renewed}/renew`, { body: { mail: false } });
  const revoked = address();
  await invite(revoked);
  await app.request('DELETE', `/v1/invitations/${revoked}`);
  const used = address();
  await redeem((await invite(used)).body.link.token);
  await app.app.jobs.drain();
  expect(smtp.taken).toEqual([]);
  expect(await mailState(renewed)).toMatchObject({ state: 'none' });
});

test('a message is not sent for somebody who may not invite any more', async () => {
  const inviter = address();
  await createEntity(app.request, '_user', {
    identifier: inviter,
    properties: { status: 'Active', port_role: 'Admin' },
  });
  const email = address();
  expect((await invite(email, {}, await app.organization.personToken(inviter))).status).toBe(201);
  const demoted = await app.request('PATCH', `/v1/users/${inviter}`, { body: { roles: ['Member'] } });
  expect(demoted.status).toBe(200);
  await app.app.jobs.drain();
  expect(smtp.taken).toEqual([]);
  expect(await mailState(email)).toMatchObject({
    state: 'failed',
    problem: 'whoever invited this person may not do so any more; invite them again',
  });
});

test('the older operation mails the link and answers nothing secret; without notify nobody is told', async () => {
  const told = address();
  const answer = await app.request('POST', '/v1/users/invite', { body: { invitee: { email: told } } });
  expect([answer.status, answer.body]).toEqual([200, { ok: true }]);
  const silent = address();
  await app.request('POST', '/v1/users/invite?notify=false', { body: { invitee: { email: silent } } });
  await app.app.jobs.drain();
  expect(smtp.taken.map(({ to }) => to)).toEqual([[told]]);
  expect((await redeem(mailedToken())).body.user.email).toBe(told);
  expect(await mailState(silent)).toBeUndefined();
});

test('the older operation invites also where the caller may not hand out the link, and says so in the list', async () => {
  await app.request('POST', '/v1/blueprints', { body: blueprintBody('ship') });
  await app.request('POST', '/v1/teams', { body: { name: 'crew' } });
  const entities = { update: { teams: ['crew'], roles: ['Admin'] } };
  await app.request('PATCH', '/v1/blueprints/ship/permissions', { body: { entities } });
  const scopes = ['create:users', 'read:entities', 'update:entities'];
  const { body } = await app.request('POST', '/v1/users/me/tokens', { body: { name: unique('t'), scopes } });
  const email = address();
  const answer = await app.request('POST', '/v1/users/invite', {
    token: body.accessToken,
    body: { invitee: { email, teams: ['crew'] } },
  });
  expect(answer.status, JSON.stringify(answer.body)).toBe(200);
  await app.app.jobs.drain();
  expect(smtp.taken).toEqual([]);
  expect(await mailState(email)).toMatchObject({
    state: 'failed',
    problem: expect.stringContaining('The token is restricted to'),
  });
});

test('a name cannot add a line, a header or a recipient', async () => {
  const inviter = address();
  const title = 'Ana\r\nBcc: eve@evil.example\r\n\r\nhttps://evil.example';
  await createEntity(app.request, '_user', {
    identifier: inviter,
    title,
    properties: { status: 'Active', port_role: 'Admin' },
  });
  const email = address();
  await invite(email, {}, await app.organization.personToken(inviter));
  await app.app.jobs.drain();
  expect(smtp.taken.map(({ to }) => to)).toEqual([[email]]);
  expect((smtp.taken[0]?.content ?? '').split('\n\n')[0]).not.toMatch(/^bcc:/im);
  expect(lastText()).not.toMatch(/^https:\/\/evil/m);
});
