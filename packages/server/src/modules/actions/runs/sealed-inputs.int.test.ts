import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { type ActionWorld, createActionWorld, runsPath } from '../../../../test/action-world.ts';
import { createTestApp, type TestApp } from '../../../../test/build-test-app.ts';
import { issuePaths } from '../../../../test/catalog-fixtures.ts';
import { createSealingKeys } from '../../../../test/sealing-keys.ts';

let app: TestApp;
let world: ActionWorld;
beforeAll(async () => {
  app = await createTestApp();
  world = await createActionWorld(app);
});
afterAll(async () => {
  await app.close();
  await world.receiver.close();
});
beforeEach(async () => {
  await app.app.jobs.drain();
  world.receiver.received.length = 0;
});

const keys = createSealingKeys();
const secret = (type: string, more: object = {}, key = keys.pem) => ({
  type,
  encryption: { algorithm: 'client-side', key },
  ...more,
});
const sealing = (properties: object, more: object = {}) =>
  world.action(world.hook({ body: '{{ .inputs }}' }), more, { properties });

/** The last request to the receiver and the stored run, after all jobs have run. */
async function outcome(id: string) {
  await app.app.jobs.drain();
  const sent = world.receiver.received.map(({ body }) => JSON.parse(body)).at(-1);
  return { sent, kept: JSON.stringify(await world.get(id)) };
}

test('a secret for the holder of a key that comes as plain text is sealed before anything is kept', async () => {
  const name = await sealing({ token: secret('string', { minLength: 3 }), bag: secret('object') });
  const started = await world.start(name, { properties: { token: 'open sesame', bag: { word: 'sesame' } } });
  expect(started.status, JSON.stringify(started.body)).toBe(202);
  const { sent, kept } = await outcome(started.body.run.id);
  expect([keys.open(sent.token), keys.open(sent.bag)]).toEqual(['open sesame', '{"word":"sesame"}']);
  const audit = await app.request('GET', '/v1/audit-log?limit=1000');
  for (const text of [JSON.stringify(started.body), kept, JSON.stringify(audit.body)])
    expect(text).not.toContain('sesame');
});

test('one that was sealed before it was sent arrives as it was, whatever the input allows', async () => {
  const name = await sealing({
    token: secret('string', { maxLength: 20, pattern: '^[a-z]+$' }),
    bag: secret('object'),
  });
  const properties = { token: await keys.seal('opensesame'), bag: await keys.seal('{"a":1}') };
  const { id } = (await world.start(name, { properties })).body.run;
  expect((await outcome(id)).sent).toEqual(properties);
});

test('plain text that does not fit the input is refused without repeating it', async () => {
  const name = await sealing({ token: secret('string', { pattern: '^[a-z]+$' }), bag: secret('object') });
  const refused = await world.start(name, { properties: { token: 'SESAME-1', bag: 'SESAME-2' } });
  expect([refused.status, issuePaths(refused.body).sort()]).toEqual([422, ['/properties/bag', '/properties/token']]);
  expect(JSON.stringify(refused.body)).not.toContain('SESAME');
});

test('without a key that can seal nothing is kept, and the author is warned when the action is saved', async () => {
  const input = secret('string', {}, 'not a key');
  const name = await sealing({ token: input });
  const stored = await app.request('GET', `/v1/actions/${name}`);
  const { identifier, trigger, invocationMethod } = stored.body.action;
  const saved = await app.request('PUT', `/v1/actions/${name}`, { body: { identifier, trigger, invocationMethod } });
  expect([saved.status, saved.headers['warning'] ?? JSON.stringify(saved.body)]).toEqual([
    200,
    expect.stringContaining('/trigger/userInputs/properties/token/encryption/key'),
  ]);
  const refused = await world.start(name, { properties: { token: 'open sesame' } });
  expect([refused.status, issuePaths(refused.body)]).toEqual([422, ['/properties/token']]);
  expect((await app.request('GET', `${runsPath}?version=v2&action=${name}`)).body.runs).toEqual([]);
});

test('a default that reads a secret does not get it', async () => {
  const copies = { type: 'string', default: { jqQuery: '"it is " + .form.token' } };
  const name = await sealing({ token: secret('string'), other: { type: 'string', encryption: 'aes256-gcm' }, copies });
  const { id } = (await world.start(name, { properties: { token: 'open sesame', other: 'x' } })).body.run;
  expect((await outcome(id)).sent.copies).toBe('it is ******');
});

test('a run again keeps what was sealed, and is refused once the key is another', async () => {
  const name = await sealing({ token: secret('string') });
  const { id } = (await world.start(name, { properties: { token: 'open sesame' } })).body.run;
  const again = await app.request('POST', `${runsPath}/${id}/rerun`);
  expect(again.status, JSON.stringify(again.body)).toBe(202);
  expect(keys.open((await outcome(again.body.run.id)).sent.token)).toBe('open sesame');
  const { identifier, trigger, invocationMethod } = (await app.request('GET', `/v1/actions/${name}`)).body.action;
  trigger.userInputs.properties.token = secret('string', {}, createSealingKeys().pem);
  await app.request('PUT', `/v1/actions/${name}`, { body: { identifier, trigger, invocationMethod } });
  const refused = await app.request('POST', `${runsPath}/${id}/rerun`);
  expect([refused.status, issuePaths(refused.body)]).toEqual([422, ['/properties/token']]);
});

test('a draft whose entity alone is changed keeps its secrets, encrypted by whom they were', async () => {
  const name = await sealing({ token: secret('string'), bag: { type: 'object', encryption: 'aes256-gcm' } });
  const body = { properties: { token: 'open sesame', bag: { word: 'sesame' } } };
  const { id } = (await world.start(name, body, {}, '?draft=true')).body.run;
  const edited = await app.request('PATCH', `${runsPath}/${id}/draft`, { body: { entity: null } });
  expect(edited.status, JSON.stringify(edited.body)).toBe(200);
  const { properties } = (await world.get(id)) as unknown as { properties: { token: string; bag: string } };
  expect(keys.open(properties.token)).toBe('open sesame');
  expect(JSON.stringify(properties)).not.toContain('sesame');
});
