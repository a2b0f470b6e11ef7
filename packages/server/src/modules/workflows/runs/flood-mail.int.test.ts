import { pino } from 'pino';
import sql from 'sql-template-tag';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestApp, type TestApp } from '../../../../test/build-test-app.ts';
import { createBlueprint, createEntity, unique } from '../../../../test/catalog-fixtures.ts';
import { type SmtpServer, startSmtpServer } from '../../../../test/smtp-server.ts';
import { createWorkflowWorld } from '../../../../test/workflow-world.ts';
import { createSmtpMailer } from '../../../platform/mail/mailer.ts';
import { limits } from '../definitions/limits.ts';

const log = pino({ level: 'silent' }) as Parameters<typeof createSmtpMailer>[0]['log'];
let smtp: SmtpServer;
let app: TestApp;

beforeAll(async () => {
  smtp = await startSmtpServer();
  const mailer = createSmtpMailer({
    url: `smtp://post:its%20secret@${smtp.address}`,
    from: 'portal@acme.example',
    log,
  });
  app = await createTestApp({ mailer });
});
afterAll(async () => {
  await app.close();
  await smtp.close();
});

test('a trigger that starts too much is paused, and whoever saved its workflow last is mailed once', async () => {
  const world = createWorkflowWorld(app);
  const blueprint = await createBlueprint(app.request, 'flooded', { properties: {} });
  const saver = await world.person('sam', 'Admin');
  const identifier = unique('flood');
  const event = { type: 'ENTITY_CREATED', blueprintIdentifier: blueprint };
  const saved = await app.request('POST', '/v1/workflows', {
    token: await app.organization.personToken(saver),
    body: {
      identifier,
      title: 'Floods',
      nodes: [
        { identifier: 'event', config: { type: 'EVENT_TRIGGER', event } },
        { identifier: 'wait', config: { type: 'DELAY', seconds: 3_600 } },
      ],
      connections: [{ sourceIdentifier: 'event', targetIdentifier: 'wait' }],
    },
  });
  expect(saved.status, JSON.stringify(saved.body)).toBe(200);
  await createEntity(app.request, blueprint, { identifier: 'first' });
  await app.app.jobs.drain();
  const org = app.organization.id;
  const count = async () =>
    (
      await app.database.rows<{ count: number }>(
        sql`select count(*)::int as count from workflow_runs where org_id = ${org} and workflow_identifier = ${identifier}`,
      )
    )[0]?.count;
  expect(await count()).toBe(1);
  expect(smtp.taken).toEqual([]);
  // as many more as may start within the minute
  const columns = await app.database.rows<{ name: string }>(sql`
    select column_name as name from information_schema.columns
    where table_name = 'workflow_runs' and column_name not in ('id', 'key', 'event_key', 'idempotency_key')`);
  const names = columns.map(({ name }) => `"${name}"`).join(', ');
  await app.database.transaction((tx) =>
    tx.execute({
      ...sql``,
      text: `insert into workflow_runs (id, ${names}) select 'wfr_flood' || n, ${names}
        from workflow_runs, generate_series(2, ${limits.startsPerTriggerAndMinute}) n
        where org_id = $1 and workflow_identifier = $2`,
      values: [org, identifier],
    } as never),
  );
  for (const name of ['one', 'two', 'three']) await createEntity(app.request, blueprint, { identifier: name });
  await app.app.jobs.drain();
  expect(smtp.taken).toHaveLength(1);
  const [mail] = smtp.taken;
  expect(mail?.to).toEqual([saver.toLowerCase()]);
  expect(mail?.content).toContain('Paused: Floods');
  expect(mail?.content).toContain(`/workflows/${identifier}/edit`);
  const { triggers } = (await app.request('GET', `/v1/workflows/${identifier}`)).body;
  expect(triggers[0].paused).toMatchObject({ scope: 'trigger' });
});
