import { pino } from 'pino';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createTestApp, type TestApp } from '../../../test/build-test-app.ts';
import { campaignsWorld } from '../../../test/campaigns-world.ts';
import { createEntity, unique } from '../../../test/catalog-fixtures.ts';
import { jobContext } from '../../../test/job-context.ts';
import { type SmtpServer, startSmtpServer } from '../../../test/smtp-server.ts';
import { createSmtpMailer } from '../../platform/mail/mailer.ts';
import { remindOwnersJob } from './remind-owners.ts';

const log = pino({ level: 'silent' }) as Parameters<typeof createSmtpMailer>[0]['log'];
const dayMs = 86_400_000;

let smtp: SmtpServer;
let app: TestApp;
beforeAll(async () => {
  smtp = await startSmtpServer();
  const url = `smtp://post:secret@${smtp.address}`;
  app = await createTestApp({ mailer: createSmtpMailer({ url, from: 'portal@acme.example', log }) });
});
afterAll(async () => {
  await app.close();
  await smtp.close();
});
beforeEach(() => {
  smtp.taken.length = 0;
  smtp.answer = () => undefined;
});

async function world() {
  const found = await campaignsWorld(app);
  // of one application all organizations are reminded, so that people need addresses of their own
  const [ada, ed] = [`${unique('ada').toLowerCase()}@example.com`, `${unique('ed').toLowerCase()}@example.com`];
  await found.person(ada, 'core');
  await found.person(ed, 'edge');
  const own = () => smtp.taken.filter(({ to }) => to.some((each) => each === ada || each === ed));
  const day = (days: number) => new Date(app.clock.now().getTime() + days * dayMs).toISOString().slice(0, 10);
  // the first time is when the next one is planned
  await app.app.jobs.drain();
  /** Lets days pass, hour by hour of the job; answers who was written to. */
  const pass = async (days: number): Promise<string[]> => {
    smtp.taken.length = 0;
    for (let each = 0; each < days; each += 1) {
      app.clock.advance(dayMs);
      expect((await app.app.jobs.drain()).dead).toBe(0);
    }
    return own().flatMap(({ to }) => to);
  };
  /** As somebody whose token has not run out meanwhile. */
  const later = async () => {
    const token = await found.organization.approverToken();
    const request: typeof found.request = (method, path, options) => found.request(method, path, { token, ...options });
    return request;
  };
  /** Without the signs that fold lines. */
  const lastMail = () => (own().at(-1)?.content ?? '').replaceAll('=\n', '').replaceAll('=3D', '=');
  return { ...found, ada, own, lastMail, day, pass, later };
}

describe('reminders', () => {
  test('go 14, 7 and 1 days before to owners of open entities, once each, and to nobody else', async () => {
    const { ada, organization, create, day, pass, lastMail } = await world();
    const id = await create({ dueDate: day(16) });
    expect(await pass(1)).toEqual([]);
    expect(await pass(1)).toEqual([ada]);
    const content = lastMail();
    expect(content).toContain('Subject: Due in 14 days: Runbooks\n');
    expect(content).toContain('1 of 3 entities of your teams are still open:');
    expect(content).toContain('- B\n');
    expect(content).toContain(`/builder/campaigns/${id}?mine=true`);
    expect(await pass(6)).toEqual([]);
    expect(await pass(1)).toEqual([ada]);
    expect(await pass(5)).toEqual([]);
    expect(await pass(1)).toEqual([ada]);
    expect(lastMail()).toContain('Subject: Due tomorrow: Runbooks\n');
    expect(await pass(4)).toEqual([]);
    const told = (await organization.journal()).filter((event) => event.startsWith('campaign.reminded'));
    expect(told).toEqual(Array.from({ length: 3 }, () => `campaign.reminded ${id}`));
  });

  test('go once, however many processes come to it at the same moment', async () => {
    const { ada, own, organization, create, day } = await world();
    const id = await create({ dueDate: day(14) });
    const job = remindOwnersJob({ ...app.app.catalog.deps, mailer: { send: () => Promise.resolve({ refused: [] }) } });
    await Promise.all(Array.from({ length: 4 }, () => job.run({}, jobContext())));
    await app.app.jobs.drain();
    expect(own().flatMap(({ to }) => to)).toEqual([ada]);
    expect(await app.count('campaign_reminder_people', organization.id)).toBe(1);
    expect((await organization.journal()).filter((event) => event === `campaign.reminded ${id}`)).toHaveLength(1);
  });

  test('are tried again while the mail server is away, with the same Message-ID, and end in one message', async () => {
    const { own, create, day, pass } = await world();
    await create({ dueDate: day(15) });
    smtp.answer = (command) => (/^MAIL/.test(command) ? '451 later' : undefined);
    expect(await pass(1)).toEqual([]);
    smtp.answer = () => undefined;
    app.clock.advance(dayMs);
    await app.app.jobs.drain();
    expect(own()).toHaveLength(1);
    expect(/^Message-ID:\s+(.*)$/m.exec(own()[0]?.content ?? '')?.[1]).toMatch(
      /^<campaign_\w+\.\d{4}-\d\d-\d\d\.14\.\w+\.0@acme\.example>$/,
    );
  });

  test('follow a due date that moves; one that moves by a day does not bring the same again', async () => {
    const { ada, body, create, day, pass, later } = await world();
    const id = await create({ dueDate: day(15) });
    expect(await pass(1)).toEqual([ada]);
    const put = async (dueDate: string) =>
      expect((await (await later())('PUT', `/v1/campaigns/${id}`, { body: body({ dueDate }) })).status).toBe(200);
    await put(day(15));
    expect(await pass(4)).toEqual([]);
    await put(day(30));
    expect(await pass(15)).toEqual([]);
    expect(await pass(1)).toEqual([ada]);
    // three weeks of days, with all that is due in each
  }, 60_000);

  test('are not sent of drafts and of what is over, and where the campaign says so', async () => {
    const { create, day, pass } = await world();
    for (const status of ['draft', 'done', 'archived']) await create({ dueDate: day(15), status });
    await create({ dueDate: day(15), remindOwners: false });
    expect(await pass(16)).toEqual([]);
  });

  test('leave out who may not sign in, and whose entities were mended or exempted before the message went', async () => {
    const { request, scorecards, create, day, pass, organization } = await world();
    await createEntity(request, '_user', {
      identifier: `${unique('off').toLowerCase()}@example.com`,
      team: 'core',
      properties: { status: 'Disabled', port_role: 'Member' },
    });
    await app.app.jobs.drain();
    await create({ dueDate: day(15) });
    const exempt = { entities: ['b'], reason: 'Old', until: day(40) };
    expect((await request('POST', `${scorecards}/ready/exemptions`, { body: exempt })).status).toBe(201);
    expect(await pass(2)).toEqual([]);
    expect(await app.count('campaign_reminder_people', organization.id)).toBe(0);
  });

  test('tell nobody of entities that they may not read', async () => {
    const { create, day, pass, allow, blueprint } = await world();
    await create({ dueDate: day(15) });
    await allow(blueprint, { read: { roles: ['Admin'], ownedByTeam: false } });
    expect(await pass(1)).toEqual([]);
  });

  test('a message that waits is not sent once the campaign is over', async () => {
    const { own, body, create, day, request } = await world();
    const id = await create({ dueDate: day(14) });
    const mailer = { send: () => Promise.resolve({ refused: [] }) };
    await remindOwnersJob({ ...app.app.catalog.deps, mailer }).run({}, jobContext());
    expect(
      (await request('PUT', `/v1/campaigns/${id}`, { body: body({ dueDate: day(14), status: 'done' }) })).status,
    ).toBe(200);
    await app.app.jobs.drain();
    expect(own()).toEqual([]);
  });

  test('are seen on the campaign and on Home; how many were told is for who may read everything', async () => {
    const { ada, organization, create, day, pass, later, blueprint, progress } = await world();
    const id = await create({ dueDate: day(16) });
    expect((await progress(id)).reminders).toEqual({ next: day(2), last: null });
    const next = day(9);
    await pass(2);
    const request = await later();
    const read = async (token?: string) =>
      (await request('GET', `/v1/campaigns/${id}/progress`, token ? { token } : {})).body.reminders;
    expect(await read()).toEqual({ next, last: { at: expect.any(String), step: 14, people: 1 } });
    const token = await organization.personToken(ada);
    const [mine] = (await request('GET', '/v1/users/me/campaigns', { token })).body.campaigns;
    expect(mine).toMatchObject({ campaign: { id }, remindedAt: expect.stringMatching(/^20/) });
    const entities = { read: { roles: ['Admin'], ownedByTeam: true } };
    expect((await request('PATCH', `/v1/blueprints/${blueprint}/permissions`, { body: { entities } })).status).toBe(
      200,
    );
    expect(await read(token)).toMatchObject({ last: { step: 14, people: null } });
  });
});

test('a title cannot add a header or a line to the message', async () => {
  const { ada, own, create, day, pass } = await world();
  await create({ dueDate: day(15), title: 'Go\r\nBcc: eve@evil.example\r\n\r\n.\r\nMAIL FROM:<eve@evil.example>' });
  expect(await pass(1)).toEqual([ada]);
  const content = own()[0]?.content ?? '';
  const [head = ''] = content.split('\n\n');
  expect(head).not.toMatch(/^bcc:/im);
  expect(content).not.toMatch(/^\.$/m);
});
