import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { createTestApp, type TestApp } from '../../../../test/build-test-app.ts';
import { createEntity, unique } from '../../../../test/catalog-fixtures.ts';
import { createNodeWorld } from '../../../../test/node-world.ts';
import { type Receiver, startReceiver } from '../../../../test/receiver.ts';
import { MailFailure } from '../../../platform/mail/mailer.ts';
import { createNodeKinds } from './node-kinds.ts';

interface Sent {
  readonly to: readonly string[];
  readonly about?: string;
  readonly subject: string;
  readonly text: string;
}

let app: TestApp;
let world: ReturnType<typeof createNodeWorld>;
let receiver: Receiver;
const mails: Sent[] = [];
let mailFails: MailFailure | undefined;
beforeAll(async () => {
  app = await createTestApp();
  world = createNodeWorld(app);
  receiver = await startReceiver();
});
afterAll(async () => {
  await receiver.close();
  await world.close();
  await app.close();
});
beforeEach(() => {
  mails.length = 0;
  mailFails = undefined;
  receiver.received.length = 0;
});

const mailer = {
  send: async (mail: unknown) => {
    if (mailFails) throw mailFails;
    mails.push(mail as Sent);
    return { refused: [] };
  },
};
type Options = Parameters<typeof world.callOf>[1];
async function told(config: object, options: Options = {}) {
  const call = world.callOf({ type: 'NOTIFY', ...config } as never, options);
  const kind = createNodeKinds({ ...world.deps, mailer } as never)['NOTIFY'];
  if (kind?.effect !== 'outside') throw new Error('it is a call of others');
  return { call, outcome: await kind.send(call) };
}
async function user(status = 'Active'): Promise<string> {
  const id = `${unique('jo').toLowerCase()}@example.com`;
  await createEntity(app.request, '_user', { identifier: id, properties: { status, port_role: 'Member' } });
  return id;
}
const failed = (message: unknown) => ({ kind: 'ended', result: 'FAILED', message });

test('a mail goes to the users and members of teams of this organization, and to nobody else', async () => {
  const [ada, bo, gone] = [await user(), await user(), await user('Disabled')];
  const team = unique('team');
  await createEntity(app.request, '_team', { identifier: team, title: team });
  const member = await user();
  const joined = await app.request('PATCH', `/v1/blueprints/_user/entities/${encodeURIComponent(member)}`, {
    body: { team: [team] },
  });
  expect(joined.status, JSON.stringify(joined.body)).toBe(200);
  const { call, outcome } = await told(
    {
      target: 'email',
      to: [ada, '{{ .outputs.trigger.who }}', gone, team, 'stranger@elsewhere.example'],
      subject: 'Done:\n{{ .outputs.trigger.what }}',
      body: 'It is {{ .outputs.trigger.what }}.',
    },
    { trigger: { who: bo, what: 'deployed' } },
  );
  expect(outcome).toMatchObject({ result: 'SUCCESS', raw: { told: 3, refused: 0 } });
  expect(mails).toEqual([
    { to: [ada, bo, member].sort(), about: call.nodeRun.id, subject: 'Done: deployed', text: 'It is deployed.\n' },
  ]);
});

test('a mail to nobody fails; a server that may take it later is asked again', async () => {
  expect((await told({ target: 'email', to: 'stranger@elsewhere.example' })).outcome).toMatchObject(
    failed(expect.stringContaining('names no user')),
  );
  mailFails = new MailFailure('it is busy', true, undefined);
  expect((await told({ target: 'email', to: await user() })).outcome).toMatchObject({ kind: 'again' });
  mailFails = new MailFailure('it is refused', false, undefined);
  expect((await told({ target: 'email', to: await user() })).outcome).toMatchObject(
    failed(expect.stringContaining('refused')),
  );
});

test('a message has the key of its step; secrets stand in its address alone and are masked in what is kept', async () => {
  const name = unique('HOOK');
  await world.secret(name, 'sesame-open');
  const to = `${receiver.url}/{{ .secrets.${name} }}`;
  const { call, outcome } = await told(
    { target: 'webhook', to, subject: 'Hi', body: 'n={{ .outputs.trigger.n }}' },
    { trigger: { n: 2 } },
  );
  expect(outcome).toMatchObject({ result: 'SUCCESS', raw: { told: 1 } });
  expect(JSON.stringify(outcome)).not.toContain('sesame');
  const [request] = receiver.received;
  expect(request).toMatchObject({ path: '/sesame-open' });
  expect(JSON.stringify(request)).toContain(call.nodeRun.id);
  expect(JSON.parse(request?.body ?? '')).toMatchObject({
    subject: 'Hi',
    body: 'n=2',
    workflowRun: { identifier: call.run.id },
  });
});

test('a message to Slack is escaped, so that nothing in it is markup', async () => {
  await told(
    { target: 'slack', to: `${receiver.url}/slack`, subject: 'A & B', body: '<!channel> {{ .outputs.trigger.n }}' },
    { trigger: { n: '<@U1>' } },
  );
  const { blocks } = JSON.parse(receiver.received[0]?.body ?? '');
  expect(blocks[0].text.text).toBe('*A &amp; B*\n&lt;!channel&gt; &lt;@U1&gt;');
});

test('an address that is private is refused where such are closed', async () => {
  const guarded = createNodeWorld(app, { isGuarded: true });
  const outcome = await guarded.outcomeOf({ type: 'NOTIFY', target: 'webhook', to: `${receiver.url}/x` });
  await guarded.close();
  expect(outcome).toMatchObject(failed(expect.stringContaining('Nobody was told')));
  expect(receiver.received).toEqual([]);
});

test('its rules: an address where one is needed, and secrets nowhere else', async () => {
  const nodes = [
    { identifier: 'form', config: { type: 'SELF_SERVE_TRIGGER' } },
    { identifier: 'a', config: { type: 'NOTIFY', target: 'slack', to: 'x@example.com' } },
    { identifier: 'b', config: { type: 'NOTIFY', target: 'webhook', to: ['https://a.example'] } },
    { identifier: 'c', config: { type: 'NOTIFY', target: 'email', to: '{{ .secrets.A }}' } },
    { identifier: 'd', config: { type: 'NOTIFY', target: 'slack', to: '{{ .secrets.A }}', body: '{{ .secrets.A }}' } },
    { identifier: 'e', config: { type: 'NOTIFY', target: 'pigeon', to: 'x' } },
  ];
  const { body } = await app.request('POST', '/v1/workflows/validate', {
    body: { identifier: unique('flow'), nodes, connections: [] },
  });
  const places = body.issues.map(({ path, code }: { path: string; code: string }) => `${code} ${path}`);
  expect(places).toEqual([
    'shape /nodes/5/config/target',
    'address_needed /nodes/1/config/to',
    'address_needed /nodes/2/config/to',
    'secret_would_be_shown /nodes/3/config/to',
    'secret_would_be_shown /nodes/4/config/body',
  ]);
});
