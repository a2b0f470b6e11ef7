import { pino } from 'pino';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createTestApp, type TestApp } from '../../../../test/build-test-app.ts';
import { createEntity, unique } from '../../../../test/catalog-fixtures.ts';
import { jobContext } from '../../../../test/job-context.ts';
import { type CallOptions, createNodeWorld } from '../../../../test/node-world.ts';
import { type Receiver, startReceiver } from '../../../../test/receiver.ts';
import { type SmtpServer, startSmtpServer } from '../../../../test/smtp-server.ts';
import { createSmtpMailer } from '../../../platform/mail/mailer.ts';
import type { Responders } from '../runs/workflow-run.ts';
import { listLogLines } from './node-run.store.ts';
import { notifyRespondersJob } from './notify-responders.ts';

const log = pino({ level: 'silent' }) as Parameters<typeof createSmtpMailer>[0]['log'];

let smtp: SmtpServer;
let receiver: Receiver;
let app: TestApp;
let world: ReturnType<typeof createNodeWorld>;
beforeAll(async () => {
  smtp = await startSmtpServer();
  receiver = await startReceiver();
  app = await createTestApp();
  world = createNodeWorld(app);
});
afterAll(async () => {
  await world.close();
  await app.close();
  await receiver.close();
  await smtp.close();
});
beforeEach(() => {
  smtp.taken.length = 0;
  receiver.received.length = 0;
  receiver.answer = () => ({ status: 200 });
});

async function person(more: object = {}): Promise<string> {
  const identifier = `${unique('jo').toLowerCase()}@acme.example`;
  await createEntity(app.request, '_user', {
    identifier,
    properties: { status: 'Active', port_role: 'Member' },
    ...more,
  });
  return identifier;
}

const userInputs = { properties: { why: { type: 'string' } }, buttons: [{ identifier: 'yes', label: 'Yes' }] };
const input = (config: object = {}, options?: CallOptions) =>
  world.outcomeOf({ type: 'INPUT', userInputs, ...config }, options);

describe('a form in a run', () => {
  test('waits with its texts settled, for 30 days or as it says', async () => {
    const form = {
      ...userInputs,
      properties: {
        why: { type: 'string', title: 'Why {{ .outputs.trigger.what }}?', default: '{{ .outputs.trigger.n }}' },
      },
    };
    const outcome = await input(
      { userInputs: form, description: 'Deploy {{ .outputs.trigger.what }}' },
      { trigger: { what: 'cart', n: 2 } },
    );
    expect(outcome).toMatchObject({
      kind: 'waits',
      for: 'response',
      dueAt: new Date(app.clock.now().getTime() + 30 * 86_400_000),
      input: {
        description: 'Deploy cart',
        userInputs: { properties: { why: { title: 'Why cart?', default: 2 } }, buttons: userInputs.buttons },
      },
    });
    expect(await input({ expiresAfterSeconds: 60 })).toMatchObject({
      dueAt: new Date(app.clock.now().getTime() + 60_000),
    });
  });

  test('shows no secret and no encrypted input', async () => {
    const secretName = unique('token');
    await world.secret(secretName, 'canary-in-a-form');
    const others = [
      {
        identifier: 'sealed',
        config: {
          type: 'SELF_SERVE_TRIGGER' as const,
          userInputs: { properties: { pin: { type: 'string', encryption: 'aes256-gcm' } } },
        },
      },
    ];
    const outcome = await input(
      { description: `{{ .secrets["${secretName}"] }} {{ .outputs.trigger.pin }} {{ .inputs }}` },
      { trigger: { pin: 'sealed-canary' }, run: { triggerNode: 'sealed' }, others },
    );
    expect(outcome).toMatchObject({ kind: 'waits' });
    expect(JSON.stringify(outcome)).not.toContain('canary');
  });

  test('that cannot be rendered fails, and nobody is asked', async () => {
    expect(await input({ description: '{{ error("no") }}', onFailure: 'continue' })).toMatchObject({
      result: 'FAILED',
    });
  });
});

describe('who may respond', () => {
  const respondersOf = async (config: object, options?: CallOptions): Promise<Responders | undefined> => {
    const outcome = await input(config, options);
    if (outcome.kind !== 'waits') throw new Error(JSON.stringify(outcome));
    return outcome.responders;
  };

  test('is whom the lists name and the query finds', async () => {
    const title = unique('Duty');
    const [found, other] = [await person({ title }), await person()];
    const usersQuery = {
      combinator: 'and',
      rules: [{ property: '$title', operator: '=', value: '{{ .outputs.trigger.t }}' }],
    };
    const responders = { users: [other.toUpperCase()], roles: ['Member'], teams: ['crew'], usersQuery };
    expect(await respondersOf({ responders }, { trigger: { t: title } })).toEqual({
      users: [other, found],
      roles: ['Member'],
      teams: ['crew'],
      excluded: [],
    });
  });

  test.each([[{}], [{ responders: {} }], [{ responders: { users: [], roles: null } }]])(
    'is an administrator if nobody is named: %j',
    async (config) => {
      expect(await respondersOf(config)).toEqual({ users: [], roles: ['Admin'], teams: [], excluded: [] });
    },
  );

  test('is an administrator if the query finds nobody, and the form fails if it cannot be asked', async () => {
    const query = (rule: object) => ({ responders: { usersQuery: { combinator: 'and', rules: [rule] } } });
    const nobody = query({ property: '$title', operator: '=', value: unique('none') });
    expect(await respondersOf(nobody)).toMatchObject({ roles: ['Admin'] });
    expect(await input(query({ property: '$title', operator: 'odd' }))).toMatchObject({ result: 'FAILED' });
  });

  test('is nobody who asked for it, where four eyes are wanted', async () => {
    const run = { createdBy: 'Ada@acme.example', impersonatedBy: 'bo@acme.example' };
    const config = { excludeRequester: true, responders: { roles: ['Member'] } };
    expect(await respondersOf(config, { run })).toMatchObject({ excluded: ['ada@acme.example', 'bo@acme.example'] });
  });
});

describe('who may respond is told', () => {
  async function told(notifications: object[], responders: Partial<Responders>, options: { hasMailer?: boolean } = {}) {
    const call = world.callOf(
      { type: 'INPUT', userInputs, notifications },
      {
        trigger: { what: 'cart' },
        nodeRun: {
          id: unique('wfnr_'),
          phase: 'WAIT_RESPONSE',
          responders: { users: [], roles: [], teams: [], excluded: [], ...responders },
        },
        node: { title: 'Approve\nit' },
      },
    );
    const mailer = createSmtpMailer({
      url: `smtp://post:its%20secret@${smtp.address}`,
      from: 'portal@acme.example',
      log,
    });
    const job = notifyRespondersJob({
      ...world.deps,
      mailer: options.hasMailer === false ? undefined : mailer,
      readCall: async () => call,
    });
    const failure = await job
      .run({ nodeRunId: call.nodeRun.id }, jobContext(app.organization.id))
      .then(() => undefined)
      .catch((error: Error) => error.message);
    const lines = await listLogLines(app.database, app.organization.id, call.nodeRun.id, 100);
    return { call, failure, lines: lines.map(({ level, message }) => `${level} ${message}`) };
  }

  test('by e-mail, each alone, and none of those who asked', async () => {
    const [one, two] = [await person(), await person()];
    const email = { target: 'email', fields: [{ label: 'What', value: '{{ .outputs.trigger.what }}\nBcc: x' }] };
    const { lines, call } = await told([email], { users: [one, two], excluded: [two] });
    expect(lines).toEqual(['INFO An e-mail was sent to 1 responders']);
    expect(smtp.taken).toHaveLength(1);
    const mail = JSON.stringify(smtp.taken);
    expect(mail).toContain(one);
    expect(mail).not.toContain(two);
    expect(mail).toContain('What: cart Bcc: x');
    expect(mail).toContain(`/workflow-runs/${call.run.id}`);
  });

  test('by webhook, signed, with one key however often, and as Slack reads it', async () => {
    const secretName = unique('hook');
    await world.secret(secretName, 'canary-hook');
    const { lines, call } = await told(
      [
        { target: 'webhook', url: `${receiver.url}/{{ .secrets["${secretName}"] }}` },
        { target: 'slack', url: `${receiver.url}/slack` },
      ],
      { users: ['a@acme.example'] },
    );
    expect(lines).toEqual(['INFO The responders were notified', 'INFO The responders were notified']);
    const [hook, slack] = receiver.received;
    expect(hook).toMatchObject({
      path: '/canary-hook',
      headers: { 'idempotency-key': `${call.nodeRun.id}.0`, 'x-port-signature': expect.stringMatching(/^v1,/) },
    });
    expect(JSON.parse(hook?.body ?? '')).toMatchObject({ workflowRun: { identifier: call.run.id } });
    expect(JSON.parse(slack?.body ?? '').text).toContain('*deploy: Approve it* waits for a response.');
  });

  test('and what goes wrong is in the log, without secrets, and tried again where that helps', async () => {
    receiver.answer = ({ path }) => ({ status: path === '/away' ? 503 : 404 });
    const { lines, failure } = await told(
      [
        { target: 'webhook', url: `${receiver.url}/gone` },
        { target: 'webhook', url: `${receiver.url}/away` },
        { target: 'webhook', url: '{{ error("no") }}' },
        { target: 'email', fields: [{ label: 'a', value: 'b' }] },
      ],
      { users: ['a@acme.example'] },
      { hasMailer: false },
    );
    expect(lines).toEqual([
      'WARN The responders were not notified: The receiver answered 404',
      'WARN The responders were not notified: The receiver answered 503; it is tried again',
      expect.stringMatching(/^WARN A notification was not sent: /),
      expect.stringMatching(/^\w+ No e-mail was sent/),
    ]);
    expect(failure).toContain('were not told');
  });
});
