import { createHmac } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createTestApp, type TestApp } from '../../../../test/build-test-app.ts';
import { unique } from '../../../../test/catalog-fixtures.ts';
import { type KafkaServer, startKafkaServer } from '../../../../test/kafka-server.ts';
import { type CallOptions, createNodeWorld } from '../../../../test/node-world.ts';
import { type Receiver, startReceiver } from '../../../../test/receiver.ts';
import { createKafkaBroker, type MessageBroker } from '../../../platform/messages/message-broker.ts';

let app: TestApp;
let receiver: Receiver;
let kafka: KafkaServer;
let broker: MessageBroker;
let world: ReturnType<typeof createNodeWorld>;
beforeAll(async () => {
  app = await createTestApp();
  receiver = await startReceiver();
  kafka = await startKafkaServer();
  broker = createKafkaBroker([kafka.address]);
  world = createNodeWorld(app, { broker });
});
afterAll(async () => {
  await world.close();
  await broker.close();
  await kafka.close();
  await receiver.close();
  await app.close();
});
beforeEach(() => {
  receiver.received.length = 0;
  receiver.answer = () => ({ status: 200, body: '{"n":1}' });
});

const failed = (message: unknown) => ({ kind: 'ended', result: 'FAILED', message });
const webhook = (config: object = {}, options?: CallOptions) =>
  world.outcomeOf({ type: 'WEBHOOK', url: `${receiver.url}/hook`, ...config }, options);
const daysAfter = (days: number) => new Date(app.clock.now().getTime() + days * 86_400_000);
const tries = (count: number) => ({ nodeRun: { tries: count } });

describe('a webhook', () => {
  test('is called with its rendered request, signed, with one key for all tries; its answer is the output', async () => {
    const config = {
      url: `${receiver.url}/hook/{{ .outputs.trigger.n }}`,
      headers: { 'x-who': '{{ .outputs.trigger.who }}' },
      body: { n: '{{ .outputs.trigger.n }}', list: ['{{ .outputs.trigger.who }}'] },
    };
    const { call, outcome } = await world.carryOut(
      { type: 'WEBHOOK', ...config },
      { trigger: { n: 5, who: 'me' }, ...tries(3) },
    );
    const [sent] = receiver.received;
    const { timestamp, signature } = {
      timestamp: sent?.headers['x-port-timestamp'],
      signature: sent?.headers['x-port-signature'],
    };
    expect(sent).toMatchObject({
      method: 'POST',
      path: '/hook/5',
      body: '{"n":5,"list":["me"]}',
      headers: { 'x-who': 'me', 'idempotency-key': call.nodeRun.id, 'x-portolan-attempt': '3' },
    });
    const hmac = createHmac('sha256', app.organization.clientSecret).update(`${timestamp}.${sent?.body}`);
    expect(signature).toBe(`v1,${hmac.digest('base64')}`);
    expect(outcome).toMatchObject({
      result: 'SUCCESS',
      raw: { response: { status: 200, data: { n: 1 } } },
      input: { type: 'WEBHOOK', url: `${receiver.url}/hook/5`, method: 'POST', synchronized: true, agent: false },
    });
  });

  test('waits for its answer unless that is not wanted; then for a report, a week long or as it says', async () => {
    expect(await webhook({ synchronized: false })).toMatchObject({ kind: 'waits', for: 'report', dueAt: daysAfter(7) });
    expect(await webhook({ synchronized: '{{ false }}', reportWithinSeconds: 86_400 })).toMatchObject({
      kind: 'waits',
      dueAt: daysAfter(1),
    });
    expect(await webhook({ synchronized: null })).toMatchObject({ kind: 'ended', result: 'SUCCESS' });
  });

  test('that is refused fails at once, with what was answered', async () => {
    receiver.answer = () => ({ status: 404, body: JSON.stringify({ why: 'x'.repeat(10_000) }) });
    const outcome = await webhook();
    expect(outcome).toMatchObject({
      ...failed('The receiver answered 404'),
      raw: { error: { message: 'The receiver answered 404' }, response: { status: 404 } },
    });
    expect(JSON.stringify(outcome).length).toBeLessThan(6_000);
    expect(await webhook({ onFailure: 'continue' })).toMatchObject({ result: 'FAILED', goesOn: true });
    expect(receiver.received).toHaveLength(2);
  });

  test.each([[500], [503], [429]])(
    'that answers %i is tried again, each time later, and fails after the last',
    async (status) => {
      receiver.answer = () => ({ status });
      const waits = [];
      for (const count of [1, 2, 3]) {
        const outcome = await webhook({}, tries(count));
        if (outcome.kind !== 'again') throw new Error(JSON.stringify(outcome));
        waits.push(((outcome.notBefore?.getTime() ?? 0) - app.clock.now().getTime()) / 1_000);
      }
      expect(waits).toEqual([1, 2, 4]);
      expect(await webhook({}, tries(4))).toMatchObject(failed(`The receiver answered ${status}`));
      expect(await webhook({ retry: { attempts: 1 } })).toMatchObject({ result: 'FAILED' });
      expect(await webhook({ retry: { on: ['network'] } })).toMatchObject({ result: 'FAILED' });
    },
  );

  test('is tried again when it cannot be reached, unless nobody knows whether it arrived and that is not wanted', async () => {
    const away = await startReceiver();
    await away.close();
    const url = away.url;
    expect(await webhook({ url })).toMatchObject({ kind: 'again' });
    const once = await webhook({ url, retry: { onUnknown: 'fail' } });
    expect(once).toMatchObject(failed(expect.stringContaining('is not known, so it is not repeated')));
  });

  test('that does not answer in time fails, or goes on if it says so', async () => {
    receiver.answer = () => 'hang';
    const config = { timeoutSeconds: 1, retry: { attempts: 1 } };
    const outcomes = await Promise.all([
      webhook(config),
      webhook({ ...config, onTimeout: 'continue' }),
      webhook({ ...config, onTimeout: 'continue', synchronized: false }),
    ]);
    expect(outcomes).toMatchObject([
      failed(expect.stringContaining('did not answer within 1000 ms')),
      { result: 'SUCCESS', raw: { timeout: true } },
      { kind: 'waits', for: 'report' },
    ]);
  });

  test('with an answer that is far too large fails, says that the call arrived, and is not repeated', async () => {
    receiver.answer = () => ({ status: 200, body: 'x'.repeat(3_000_000) });
    expect(await webhook()).toMatchObject(
      failed(expect.stringMatching(/larger than 1048576 bytes; the receiver has got/)),
    );
  });

  test.each([
    ['{{ .none }}', 'The address came to nothing'],
    ['ftp://x', 'is no http or https address'],
    ['http://user:pass@x', 'may not hold a user name or password'],
  ])('to %s fails', async (url, message) => {
    expect(await webhook({ url })).toMatchObject(failed(expect.stringContaining(message)));
  });

  test.each([
    'http://127.0.0.1:8080/',
    'http://[::1]/',
    'http://169.254.169.254/latest',
    'http://localhost/',
    'http://10.0.0.1/',
  ])('does not reach %s inside', async (url) => {
    const guarded = createNodeWorld(app, { isGuarded: true });
    const outcome = await guarded.outcomeOf({ type: 'WEBHOOK', url });
    expect(outcome).toMatchObject(failed(expect.stringContaining('is not on the public internet')));
    await guarded.close();
  });

  test('keeps others of its receiver waiting beyond its places, which is no try', async () => {
    receiver.answer = () => 'hang';
    const calls = Array.from({ length: 8 }, () => webhook({ timeoutSeconds: 1, retry: { attempts: 1 } }));
    await expect(webhook()).rejects.toMatchObject({ name: 'Postponed' });
    await Promise.all(calls);
  });
});

describe('secrets', () => {
  const places = (template: string) => [
    { url: `${receiver.url}/${template}` },
    { headers: { authorization: `Bearer ${template}` } },
    { body: { a: [`x ${template}`] } },
    { body: template },
    { body: { [template]: 1 } },
    { headers: { 'x-b64': template.replace('}}', '| @base64 }}') } },
  ];

  test.each([[200], [400], [503]])(
    'arrive where they are sent, and show nowhere, though the receiver that answers %i echoes them',
    async (status) => {
      const secretName = unique('token');
      const canary = `canary/${unique('value')}+"é`;
      await world.secret(secretName, canary);
      receiver.answer = ({ path, headers, body }) => ({ status, body: JSON.stringify({ path, headers, body }) });
      for (const config of places(`{{ .secrets["${secretName}"] }}`)) {
        const { call, outcome } = await world.carryOut({
          type: 'WEBHOOK',
          url: `${receiver.url}/x`,
          ...config,
          retry: { attempts: 1 },
        });
        const { path, headers, body } = receiver.received.at(-1) ?? {};
        const sent = decodeURIComponent(JSON.stringify([path, headers, body]));
        expect(sent).toMatch(/canary|Y2FuYXJ5/);
        expect(JSON.stringify({ outcome, config: call.node.config })).not.toMatch(/canary|Y2FuYXJ5/);
        expect(JSON.stringify(outcome)).toContain('******');
      }
    },
  );

  test('that an expression fails on are not quoted', async () => {
    const secretName = unique('token');
    await world.secret(secretName, 'canary-that-is-no-number');
    const outcome = await webhook({ body: { n: `{{ .secrets["${secretName}"] | tonumber }}` } });
    expect(outcome).toMatchObject(failed(expect.stringContaining('at body.n failed')));
    expect(JSON.stringify(outcome)).not.toContain('canary');
    expect(receiver.received).toEqual([]);
  });

  test('that work only by their value are sent, though the masked request has nothing there', async () => {
    const secretName = unique('config');
    await world.secret(secretName, '{"token":"canary-inside"}');
    const outcome = await webhook({ headers: { 'x-token': `{{ .secrets["${secretName}"] | fromjson | .token }}` } });
    expect(outcome).toMatchObject({ result: 'SUCCESS' });
    expect(receiver.received[0]?.headers['x-token']).toBe('canary-inside');
    expect(JSON.stringify(outcome)).not.toContain('canary');
  });

  test('are refused to a workflow that was saved with a token that may not send them', async () => {
    const outcome = await webhook(
      { body: { a: '{{ .secrets.any }}' } },
      { actor: { scopes: ['read:entities', 'execute:actions'] } },
    );
    expect(outcome).toMatchObject(failed(expect.stringContaining('read:secrets')));
    expect(receiver.received).toEqual([]);
  });

  test('are read by name alone: the whole context has none', async () => {
    await world.secret(unique('token'), 'canary-of-the-whole');
    const outcome = await webhook({ body: '{{ . }}' });
    expect(outcome).toMatchObject({ result: 'SUCCESS' });
    expect(receiver.received[0]?.body).not.toContain('canary');
    await webhook();
    expect(receiver.received[1]?.body).not.toContain('canary');
  });
});

/** The check of the public agent. */
function isAcceptedByAgent({ headers, ...message }: { headers: Record<string, string> }, secret: string): boolean {
  const hmac = createHmac('sha256', secret)
    .update(`${headers['X-Port-Timestamp']}.${JSON.stringify({ ...message, headers: {} })}`)
    .digest('base64');
  return headers['X-Port-Signature'] === `v1,${hmac}`;
}

describe('what others carry out', () => {
  test('a message is put on the topic, signed and named after its node run, and waits for a report', async () => {
    const secretName = unique('token');
    await world.secret(secretName, 'canary-in-a-message');
    const payload = { who: '{{ .outputs.trigger.who }}', token: `{{ .secrets["${secretName}"] }}` };
    const { call, outcome } = await world.carryOut({ type: 'KAFKA', payload }, { trigger: { who: 'me' } });
    expect(outcome).toMatchObject({
      kind: 'waits',
      for: 'report',
      dueAt: daysAfter(7),
      input: { payload: { who: 'me', token: '******' } },
    });
    const taken = kafka.taken.find(({ key }) => key === call.nodeRun.id);
    const message = JSON.parse(taken?.value ?? '');
    expect([taken?.topic, message]).toMatchObject([
      `${app.organization.id}.runs`,
      {
        payload: { who: 'me', token: 'canary-in-a-message' },
        context: {
          runId: call.nodeRun.id,
          workflowRunId: call.run.id,
          workflowIdentifier: 'deploy',
          nodeIdentifier: 'step',
          orgId: app.organization.id,
        },
      },
    ]);
    expect(isAcceptedByAgent(message, app.organization.clientSecret)).toBe(true);
    expect(JSON.stringify(outcome)).not.toContain('canary');
  });

  test('a call of the agent is a message that it accepts, and is offered to those that ask', async () => {
    const config = { url: 'http://inside.example/{{ .outputs.trigger.who }}', agent: true, body: { a: 1 } };
    const { call, outcome } = await world.carryOut({ type: 'WEBHOOK', ...config }, { trigger: { who: 'me' } });
    expect(outcome).toMatchObject({ kind: 'waits', for: 'report', installationId: '_PORT_EXEC_AGENT' });
    const message = JSON.parse(kafka.taken.find(({ key }) => key === call.nodeRun.id)?.value ?? '');
    expect(message).toMatchObject({
      payload: {
        action: {
          invocationMethod: {
            type: 'WEBHOOK',
            url: 'http://inside.example/me',
            method: 'POST',
            agent: true,
            synchronized: true,
            body: { a: 1 },
          },
        },
      },
      context: { runId: call.nodeRun.id },
    });
    expect(isAcceptedByAgent(message, app.organization.clientSecret)).toBe(true);
  });

  test('without a broker both wait: for whoever reports, and for an agent that asks', async () => {
    const own = createNodeWorld(app);
    expect(await own.outcomeOf({ type: 'KAFKA', payload: {} })).toMatchObject({
      kind: 'waits',
      log: [expect.stringContaining('PORTOLAN_KAFKA_BROKERS')],
    });
    expect(await own.outcomeOf({ type: 'WEBHOOK', url: 'http://inside', agent: true })).toMatchObject({
      kind: 'waits',
      installationId: '_PORT_EXEC_AGENT',
    });
    await own.close();
  });

  test('a broker that is away is tried again, and fails the node in the end', async () => {
    const away = await startKafkaServer();
    await away.close();
    const lost = createKafkaBroker([away.address]);
    const own = createNodeWorld(app, { broker: lost });
    expect(await own.outcomeOf({ type: 'KAFKA', payload: {} })).toMatchObject({ kind: 'again' });
    expect(await own.outcomeOf({ type: 'KAFKA', payload: {} }, tries(4))).toMatchObject({ result: 'FAILED' });
    await own.close();
    await lost.close();
  });

  const integration = (more: object = {}) =>
    ({
      type: 'INTEGRATION_ACTION',
      installationId: 'gh-{{ .outputs.trigger.who }}',
      integrationProvider: 'GITHUB',
      integrationInvocationType: 'dispatch_workflow',
      integrationActionExecutionProperties: { repo: '{{ .outputs.trigger.who }}' },
      ...more,
    }) as const;

  test('an action of an integration is offered to its installation', async () => {
    const outcome = await world.outcomeOf(integration(), { trigger: { who: 'me' } });
    expect(outcome).toMatchObject({
      kind: 'waits',
      for: 'report',
      installationId: 'gh-me',
      raw: {},
      input: { type: 'INTEGRATION_ACTION', integrationActionExecutionProperties: { repo: 'me' } },
    });
  });

  test.each([
    [{ installationId: '{{ .none }}' }, '"installationId" came to nothing'],
    [{ integrationProvider: '{{ 1 }}' }, '"integrationProvider" came to nothing'],
    [{ integrationActionExecutionProperties: '{{ "x" }}' }, 'came to no object'],
  ])('one without what its executor needs fails instead of being offered: %j', async (more, message) => {
    expect(await world.outcomeOf(integration(more))).toMatchObject(failed(expect.stringContaining(message)));
  });
});
