import { pino } from 'pino';
import sql from 'sql-template-tag';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type Answer, createTestApp, type TestApp, type TestOrganization } from '../../../../test/build-test-app.ts';
import { type SmtpServer, startSmtpServer } from '../../../../test/smtp-server.ts';
import { createSmtpMailer } from '../../../platform/mail/mailer.ts';
import { perOrganizationMax, perPersonMax } from './mail-bounds.ts';

const log = pino({ level: 'silent' }) as Parameters<typeof createSmtpMailer>[0]['log'];

let smtp: SmtpServer;
let app: TestApp;
let own: TestOrganization;
beforeAll(async () => {
  smtp = await startSmtpServer();
  app = await createTestApp({
    mailer: createSmtpMailer({ url: `smtp://${smtp.address}`, from: 'portal@acme.dev', log }),
  });
});
afterAll(async () => {
  await app.close();
  await smtp.close();
});
beforeEach(async () => {
  await app.app.jobs.drain();
  own = await app.createOrganization();
  smtp.taken.length = 0;
});

const email = 'stranger@example.com';
const invite = (to = email, body: object = {}): Promise<Answer> =>
  own.request('POST', '/v1/invitations', { body: { email: to, ...body } });
const renew = (to = email, body: object = {}): Promise<Answer> =>
  own.request('POST', `/v1/invitations/${to}/renew`, { body });
const tell = ({ status, body, headers }: Answer) => [status, body.error, Number(headers['retry-after'])];

async function mailsTo(to = email): Promise<number> {
  await app.app.jobs.drain();
  return smtp.taken.filter((mail) => mail.to.includes(to)).length;
}

describe('a person is mailed only so often in an hour:', () => {
  test('more is refused until the first mail is an hour old, and changes nothing', async () => {
    await invite();
    for (let index = 1; index < perPersonMax; index += 1) {
      app.clock.advance(60_000);
      expect((await renew()).status).toBe(201);
    }
    const before = (await own.request('GET', '/v1/invitations')).body;
    expect(tell(await renew())).toEqual([429, 'too_many_requests', 3600 - 60 * (perPersonMax - 1)]);
    expect((await own.request('GET', '/v1/invitations')).body).toEqual(before);
    expect((await renew(email, { mail: false })).status).toBe(201);
    app.clock.advance(1000 * (3600 - 60 * (perPersonMax - 1)));
    expect((await renew()).status).toBe(201);
  });

  test('also when ten are asked for at once', async () => {
    await invite();
    const answers = await Promise.all(Array.from({ length: 10 }, () => renew()));
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(perPersonMax - 1);
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(11 - perPersonMax);
    expect(await mailsTo()).toBeLessThanOrEqual(perPersonMax);
  });

  test('also when the invitation is taken back each time, or the address is spelt otherwise', async () => {
    const statuses: number[] = [];
    for (const to of [email, 'Stranger@example.com', 'STRANGER@example.com', email, email]) {
      statuses.push((await invite(to)).status);
      await app.app.jobs.drain();
      await own.request('DELETE', `/v1/invitations/${to}`);
    }
    expect(statuses).toEqual([201, 201, 201, 429, 429]);
    expect(smtp.taken).toHaveLength(perPersonMax);
    expect((await own.request('GET', `/v1/users/${email}`)).status).toBe(404);
  });

  test('also over the older operation', async () => {
    for (let index = 0; index < perPersonMax; index += 1) {
      expect((await own.request('POST', '/v1/users/invite', { body: { invitee: { email } } })).status).toBe(200);
      await own.request('DELETE', `/v1/invitations/${email}`);
    }
    const refused = await own.request('POST', '/v1/users/invite', { body: { invitee: { email } } });
    expect(tell(refused)).toEqual([429, 'too_many_requests', 3600]);
    expect((await own.request('GET', `/v1/users/${email}`)).status).toBe(404);
    expect((await own.request('POST', '/v1/users/invite?notify=false', { body: { invitee: { email } } })).status).toBe(
      200,
    );
  });

  test('another person, and another organization, may be mailed', async () => {
    await invite();
    for (let index = 1; index < perPersonMax; index += 1) await renew();
    expect((await renew()).status).toBe(429);
    expect((await invite('other@example.com')).status).toBe(201);
    own = await app.createOrganization();
    expect((await invite()).status).toBe(201);
  });
});

test('an organization mails only so many people in an hour, also at once', async () => {
  await invite('first@example.com');
  await app.database.transaction((tx) =>
    tx.execute(sql`
      insert into password_links (org_id, id, user_key, secret_hash, created_at, created_by, authority, expires_at,
        carried_by, mailed_to)
      select l.org_id, l.id || n, l.user_key, l.secret_hash, l.created_at, l.created_by, l.authority, l.expires_at,
        l.carried_by, l.mailed_to || n
      from password_links l, generate_series(1, ${perOrganizationMax - 2}::int) n
      where l.org_id = ${own.id} and l.carried_by = 'mail'`),
  );
  const answers = await Promise.all(Array.from({ length: 10 }, (_, index) => invite(`p${index}@example.com`)));
  expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
  expect(new Set(answers.filter(({ status }) => status !== 201).map((answer) => String(tell(answer))))).toEqual(
    new Set(['429,too_many_requests,3600']),
  );
  expect((await invite('by-hand@example.com', { mail: false })).status).toBe(201);
});

test('without a mail server nothing is counted', async () => {
  const without = await createTestApp();
  own = without.organization;
  await invite();
  for (let index = 0; index < perPersonMax + 2; index += 1) expect((await renew()).status).toBe(201);
  await without.close();
});
