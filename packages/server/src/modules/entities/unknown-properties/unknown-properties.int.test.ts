import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createTestApp, type TestApp } from '../../../../test/build-test-app.ts';
import { createBlueprint, issuePaths, readEntity, unique } from '../../../../test/catalog-fixtures.ts';
import { createWebhooks } from '../../../../test/webhook-fixtures.ts';

let app: TestApp;
beforeAll(async () => {
  app = await createTestApp();
});
afterAll(() => app.close());

const terraform = 'terraform-provider-port-labs/2.2.0';
const dropped = (key: string, blueprint: string) =>
  `"${key}" is not a property of "${blueprint}"; its value was dropped. Add the property, or take it out of the mapping`;

async function setUp(parts: object = {}) {
  const blueprint = await createBlueprint(app.request, 'service', {
    properties: { language: { type: 'string' }, size: { type: 'number' } },
    calculationProperties: { double: { type: 'number', calculation: '.properties.size * 2' } },
    ...parts,
  });
  const installationId = unique('source');
  await app.request('POST', '/v1/integration', { body: { installationId } });
  const ocean = `port-ocean/jira/1.0.0/${installationId}/exporter`;
  const write = (method: string, path: string, body: object, agent = ocean) =>
    app.request(method, `/v1/blueprints/${blueprint}/entities${path}`, { body, headers: { 'user-agent': agent } });
  const unknown = async () =>
    (await app.request('GET', `/v1/blueprints/${blueprint}/unknown-properties`)).body.properties;
  const log = async () => (await app.request('GET', `/v1/integration/${installationId}/logs?limit=50`)).body.data;
  const setting = (value: string | null) =>
    app.request('PATCH', `/v1/blueprints/${blueprint}`, { body: { unknownProperties: value } });
  return { blueprint, installationId, ocean, write, unknown, log, setting };
}

describe('an integration that sends a property the blueprint does not have', () => {
  test.each([
    ['creates', 'POST', '?upsert=true&merge=true', 201],
    ['replaces', 'PUT', '/e', 200],
    ['changes', 'PATCH', '/e', 200],
  ])('%s the entity without it, and is told', async (_word, method, path, status) => {
    const { blueprint, write } = await setUp();
    if (method !== 'POST') await write('POST', '', { identifier: 'e' });
    const answer = await write(method, path, { identifier: 'e', properties: { language: 'Go', colour: 'red' } });
    expect([answer.status, answer.body.warnings]).toEqual([status, [dropped('colour', blueprint)]]);
    expect(answer.headers['warning']).toBe(`299 portolan "${dropped('colour', blueprint).replaceAll('"', "'")}"`);
    expect((await readEntity(app.request, blueprint, 'e')).properties).toEqual({
      language: 'Go',
      size: null,
      double: null,
    });
  });

  test('writes many entities at once, each told for itself, and the header once', async () => {
    const { blueprint, write } = await setUp();
    const entities = ['a', 'b', 'c'].map((identifier, at) => ({
      identifier,
      properties: at < 2 ? { colour: at } : {},
    }));
    const answer = await write('POST', '/bulk?upsert=true', { entities });
    const warnings = [dropped('colour', blueprint)];
    expect([answer.status, answer.body]).toEqual([
      200,
      {
        ok: true,
        entities: [
          { identifier: 'a', index: 0, created: true, warnings },
          { identifier: 'b', index: 1, created: true, warnings },
          { identifier: 'c', index: 2, created: true },
        ],
        errors: [],
      },
    ]);
    expect(String(answer.headers['warning']).match(/299/g)).toHaveLength(1);
  });

  test('reads it once in its own log and once in the portal, an hour long', async () => {
    const { blueprint, ocean, write, unknown, log } = await setUp();
    const send = (colour: unknown) => write('PATCH', '/e', { properties: { colour, shape: null } });
    await write('POST', '', { identifier: 'e' });
    expect([await unknown(), await log()]).toEqual([[], []]);
    const began = app.clock.now().toISOString();
    await send('https://example.com/red');
    await send('https://example.com/blue');
    const sources = [{ datasource: ocean, firstSeen: began, lastSeen: began }];
    expect(await unknown()).toEqual([
      { property: 'colour', guess: { type: 'string', format: 'url' }, sources },
      { property: 'shape', guess: { type: 'string' }, sources },
    ]);
    expect(
      (await log()).map(({ level, message, source }: Record<string, unknown>) => [level, message, source]),
    ).toEqual(['shape', 'colour'].map((key) => ['WARNING', dropped(key, blueprint), 'portolan']));
    app.clock.advance(3_600_000);
    await send(5);
    expect((await unknown())[0]).toEqual({
      property: 'colour',
      guess: { type: 'number' },
      sources: [{ datasource: ocean, firstSeen: began, lastSeen: app.clock.now().toISOString() }],
    });
    expect(await log()).toHaveLength(4);
  });

  test('leaves no note of what was not written', async () => {
    const { write, unknown, log } = await setUp();
    const body = { identifier: 'e', properties: { colour: 'red' } };
    expect((await write('POST', '?validation_only=true', body)).body.warnings).toHaveLength(1);
    expect((await write('POST', '', { ...body, properties: { ...body.properties, size: 'many' } })).status).toBe(422);
    expect([await unknown(), await log()]).toEqual([[], []]);
  });

  test('is refused for a relation that is not there, as ever', async () => {
    const { write } = await setUp();
    const answer = await write('POST', '', { identifier: 'e', relations: { owner: 'x' } });
    expect([answer.status, answer.body.error]).toEqual([404, 'not_found']);
  });

  test('has the values of computed properties dropped too, which nobody needs to add', async () => {
    const { write, unknown } = await setUp();
    const answer = await write('POST', '', { identifier: 'e', properties: { size: 2, double: 5 } });
    expect([answer.status, answer.body.entity.properties.double]).toEqual([201, 4]);
    expect(answer.body.warnings).toEqual([expect.stringContaining('computed by the platform')]);
    expect(await unknown()).toEqual([]);
  });

  test('is not listed any more once the property was added', async () => {
    const { blueprint, write, unknown } = await setUp();
    await write('POST', '', { identifier: 'e', properties: { colour: 'red', shape: 'round' } });
    const [{ property, guess }] = await unknown();
    await app.request('PATCH', `/v1/blueprints/${blueprint}`, {
      body: { schema: { properties: { [property]: guess } } },
    });
    expect((await unknown()).map((each: { property: string }) => each.property)).toEqual(['shape']);
    expect((await write('PATCH', '/e', { properties: { colour: 'red' } })).body.warnings).toBeUndefined();
  });

  test('can make names up without end, and only two hundred are noted', async () => {
    const { write, unknown } = await setUp();
    const names = Array.from({ length: 210 }, (_none, at) => [`p${at}`, at]);
    expect((await write('POST', '', { identifier: 'e', properties: Object.fromEntries(names) })).status).toBe(201);
    expect(await unknown()).toHaveLength(200);
  });
});

test('notes are forgotten a month after the property was sent last', async () => {
  // days go by, and every token of it expires
  const aged = await createTestApp();
  const blueprint = await createBlueprint(aged.request, 'service');
  const headers = { 'user-agent': 'port-ocean/jira/1.0.0/main/exporter' };
  await aged.request('POST', `/v1/blueprints/${blueprint}/entities`, { body: { properties: { colour: 1 } }, headers });
  await aged.app.jobs.drain();
  expect(await aged.count('unknown_properties')).toBe(1);
  aged.clock.advance(30 * 24 * 3_600_000 + 1);
  await aged.app.jobs.drain();
  expect(await aged.count('unknown_properties')).toBe(0);
  await aged.close();
});

test('a webhook drops it as well, and its delivery says so', async () => {
  const { create, deliver, mapping } = await createWebhooks(app);
  const hook = await create({ mappings: [mapping({}, { identifier: '.body.id', properties: { colour: '"red"' } })] });
  const delivery = await deliver(hook, { id: unique('pr') });
  expect(delivery).toMatchObject({
    state: 'processed',
    results: [{ verdict: 'applied', created: 1, warnings: [expect.stringContaining('"colour" is not a property of')] }],
  });
});

test('whoever tries a mapping is told what would be dropped, and is not refused', async () => {
  const { blueprint } = await setUp();
  const entity = { identifier: '.name', blueprint: `"${blueprint}"`, properties: { colour: '.colour' } };
  const mapping = { kind: 'x', port: { entity: { mappings: entity } } };
  const { body } = await app.request('POST', '/v1/mappings/test', {
    body: { mapping, examples: [{ name: 'a', colour: 'red' }] },
  });
  expect([body.results[0].refused, body.results[0].warnings]).toEqual([undefined, [dropped('colour', blueprint)]]);
});

describe('everybody else', () => {
  const colour = { identifier: 'e', properties: { colour: 'red' } };
  test.each([[terraform], ['Mozilla/5.0'], ['github-action/v1.0']])('%s is refused', async (agent) => {
    const { write, unknown } = await setUp();
    const answer = await write('POST', '', colour, agent);
    expect([answer.status, issuePaths(answer.body)]).toEqual([422, ['/properties/colour']]);
    expect((await write('POST', '/bulk', { entities: [colour] }, agent)).body.errors).toHaveLength(1);
    expect(await unknown()).toEqual([]);
  });
});

describe('a blueprint', () => {
  const colour = { identifier: 'e', properties: { colour: 'red' } };

  test('that is lenient drops it for everybody, one that is strict for nobody, until that is taken back', async () => {
    const { write, setting, unknown } = await setUp();
    await setting('lenient');
    expect((await write('POST', '?upsert=true', colour, terraform)).status).toBe(201);
    expect(await unknown()).toMatchObject([{ property: 'colour', sources: [{ datasource: terraform }] }]);
    await setting('strict');
    expect((await write('POST', '?upsert=true', colour)).status).toBe(422);
    await setting(null);
    expect((await write('POST', '?upsert=true', colour)).status).toBe(201);
    expect((await write('POST', '?upsert=true', colour, terraform)).status).toBe(422);
  });

  test('keeps the setting when a client that knows of none replaces it', async () => {
    const { blueprint, write } = await setUp({ unknownProperties: 'strict' });
    const body = { identifier: blueprint, title: 'Service', schema: { properties: {} } };
    const put = await app.request('PUT', `/v1/blueprints/${blueprint}`, { body, headers: { 'user-agent': terraform } });
    expect(put.body.blueprint.unknownProperties).toBe('strict');
    expect((await write('POST', '', colour)).status).toBe(422);
    const back = { ...body, unknownProperties: 'by-client' };
    await app.request('PUT', `/v1/blueprints/${blueprint}`, { body: back });
    expect((await write('POST', '', colour)).status).toBe(201);
  });

  test('takes nothing else for the setting', async () => {
    const { setting } = await setUp();
    expect((await setting('sometimes')).status).toBe(422);
  });
});

describe('values of the wrong type', () => {
  test('that are certain are converted for an integration, with a warning', async () => {
    const { blueprint, write } = await setUp();
    const answer = await write('POST', '', { identifier: 'e', properties: { size: '85.3', language: 12 } });
    expect([answer.status, answer.body.entity.properties]).toEqual([
      201,
      { size: 85.3, language: '12', double: 170.6 },
    ]);
    expect(answer.body.warnings).toEqual([
      `"size" of "${blueprint}" takes a number; the text was read as one`,
      `"language" of "${blueprint}" takes a text; the number was kept as its text`,
    ]);
  });

  test('are refused for everybody else, also where the blueprint is lenient', async () => {
    const { write } = await setUp({ unknownProperties: 'lenient' });
    const answer = await write('POST', '', { identifier: 'e', properties: { size: '85.3', language: 12 } }, terraform);
    expect([answer.status, issuePaths(answer.body).sort()]).toEqual([
      422,
      ['/properties/language', '/properties/size'],
    ]);
  });

  test('that are not certain are refused for integrations as well', async () => {
    const { write } = await setUp();
    const answer = await write('POST', '', { identifier: 'e', properties: { size: 'many', language: true } });
    expect([answer.status, issuePaths(answer.body).sort()]).toEqual([
      422,
      ['/properties/language', '/properties/size'],
    ]);
  });
});
