import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createTestApp, type TestApp } from '../../../test/build-test-app.ts';
import {
  blueprintBody,
  createBlueprint,
  createEntity,
  emptyMaps,
  issuePaths,
  unique,
} from '../../../test/catalog-fixtures.ts';

let app: TestApp;
beforeAll(async () => {
  app = await createTestApp();
});
afterAll(() => app.close());

const path = '/v1/blueprints';
const post = (body: unknown) => app.request('POST', path, { body });

/** The request is refused with this status and code, and neither a blueprint nor a journal row comes of it. */
async function refuses(body: unknown, status: number, error: string) {
  const before = [await app.count('blueprints'), await app.count('journal')];
  const answer = await post(body);
  expect([answer.status, answer.body.error], JSON.stringify(answer.body)).toEqual([status, error]);
  expect([await app.count('blueprints'), await app.count('journal')]).toEqual(before);
  return answer.body;
}

describe('201', () => {
  test('a property of type enum, as an integration of Ocean ships it, is a text', async () => {
    const identifier = unique('cluster');
    const status = { title: 'Status', type: 'enum', enum: ['Up', 'Down'], enumColors: { Up: 'green', Down: 'red' } };
    const answer = await post({ identifier, title: 'Cluster', schema: { properties: { status } } });
    expect([answer.status, answer.body.blueprint?.schema.properties.status]).toEqual([
      201,
      { ...status, type: 'string' },
    ]);
  });

  test('answers what was sent, the four maps and the four times and authors, and nothing else', async () => {
    const identifier = unique('bare');
    const sent = { identifier, title: 'Bare', schema: { properties: { a: { type: 'string' } } } };
    const answer = await post(sent);
    expect(answer.status).toBe(201);
    const at = app.clock.now().toISOString();
    const by = app.organization.clientId;
    const blueprint = { ...emptyMaps, ...sent, createdAt: at, createdBy: by, updatedAt: at, updatedBy: by };
    expect(answer.body).toEqual({ ok: true, blueprint });
    expect((await app.request('GET', `${path}/${identifier}`)).body).toEqual({ ok: true, blueprint });
    expect((await app.organization.journal()).at(-1)).toBe(`blueprint.created ${identifier}`);
  });

  test('keeps every section, unknown members of a property, and the order of keys', async () => {
    const target = await createBlueprint(app.request, 'target', { properties: { mail: { type: 'string' } } });
    const body = blueprintBody(unique('full'), {
      description: '',
      icon: '',
      properties: {
        zeta: {
          type: 'string',
          enum: ['x'],
          enumColors: { x: 'paleBlue' },
          dateFormat: 'relative',
          future: { a: [1] },
        },
        alpha: { type: 'array', items: { type: 'string', format: 'url' } },
        10: { type: 'number', minimum: 0 },
        2: { type: 'boolean' },
      },
      required: ['zeta'],
      relations: { to: { target, title: 'To' } },
      mirrorProperties: { mail: { path: 'to.mail' } },
      calculationProperties: { sum: { calculation: '1', type: 'number' } },
      aggregationProperties: {
        count: { title: 'Count', target, calculationSpec: { calculationBy: 'entities', func: 'count' } },
      },
      ownership: { type: 'Direct' },
      changelogDestination: { type: 'WEBHOOK', url: 'https://example.com/hook' },
      includeInGlobalSearch: false,
    });
    const answer = await post(body);
    expect(answer.status, JSON.stringify(answer.body)).toBe(201);
    const relations = { to: { target, title: 'To', required: false, many: false } };
    expect(answer.body.blueprint).toMatchObject({ ...body, relations });
  });

  test('fields that are not known are ignored and named', async () => {
    const answer = await post({
      ...blueprintBody(unique('extra')),
      colour: 1,
      'häßlich, x': 2,
      createdAt: 'x',
      _id: 1,
    });
    expect(answer.status).toBe(201);
    expect(answer.headers['x-ignored-fields']).toBe(`colour, ${encodeURIComponent('häßlich, x')}`);
    expect(answer.body.blueprint.colour).toBeUndefined();
  });

  test.each(['größe', 'a/b:c@d.e+f\\g-h_1', 'ブループリント', 'constructor'])(
    'may be called %s',
    async (identifier) => {
      expect((await post(blueprintBody(identifier))).status).toBe(201);
      const read = await app.request('GET', `${path}/${encodeURIComponent(identifier)}`);
      expect(read.body.blueprint.identifier).toBe(identifier);
    },
  );

  test('a relation may lead to the blueprint itself', async () => {
    const identifier = unique('self');
    const answer = await post(blueprintBody(identifier, { relations: { parent: { target: identifier } } }));
    expect(answer.status).toBe(201);
  });

  test('a property and a relation may have the names of members every object has', async () => {
    const blueprint = await createBlueprint(app.request, 'odd', {
      properties: { constructor: { type: 'string' }, toString: { type: 'number' } },
      relations: { valueOf: { target: '_team' } },
    });
    const entity = await createEntity(app.request, blueprint, { identifier: 'a' });
    expect(entity.properties).toEqual({ constructor: null, toString: null });
    expect(entity.relations).toEqual({ valueOf: null });
    const patched = await app.request('PATCH', `${path}/${blueprint}`, {
      body: {
        schema: { properties: { valueOf: null, hasOwnProperty: { type: 'string' } } },
        relations: { valueOf: null },
      },
    });
    expect(patched.status, JSON.stringify(patched.body)).toBe(200);
  });
});

describe('404', () => {
  test('a relation to a blueprint that is not there', async () => {
    const body = await refuses(
      blueprintBody(unique('lost'), { relations: { to: { target: 'nowhere' } } }),
      404,
      'not_found',
    );
    expect(body.details).toEqual({ resource: 'Blueprint', byField: 'identifier', withValue: 'nowhere' });
  });

  test('an aggregation of a blueprint that is not there', async () => {
    const aggregationProperties = {
      n: { title: 'N', target: 'nowhere', calculationSpec: { calculationBy: 'entities', func: 'count' } },
    };
    await refuses(blueprintBody(unique('lost'), { aggregationProperties }), 404, 'not_found');
  });
});

describe('409', () => {
  test('an identifier that is taken, in a text that says so', async () => {
    const identifier = await createBlueprint(app.request, 'once');
    const body = await refuses(blueprintBody(identifier), 409, 'identifier_taken');
    expect(body.message).toContain('taken');
  });

  test('a system blueprint that exists', async () => {
    await refuses(blueprintBody('_user'), 409, 'identifier_taken');
  });

  test('of several at once one is made', async () => {
    const identifier = unique('race');
    const answers = await Promise.all(Array.from({ length: 6 }, () => post(blueprintBody(identifier))));
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 409, 409, 409, 409, 409]);
  });
});

describe('422', () => {
  test('every issue at once, each with its path', async () => {
    const body = await refuses(
      {
        identifier: 'with space',
        title: '',
        description: 'x'.repeat(201),
        schema: { properties: { 'bad key': { type: 'string' }, ok: { type: 'text' } }, extra: 1 },
        relations: { r: { required: 'yes' } },
        mirrorProperties: { m: { path: 'nodots' } },
        ownership: { type: 'Shared' },
      },
      422,
      'invalid_request',
    );
    expect(issuePaths(body)).toEqual(
      expect.arrayContaining([
        '/identifier',
        '/title',
        '/description',
        '/schema/extra',
        '/schema/properties/bad key',
        '/schema/properties/ok/type',
        '/relations/r/target',
        '/relations/r/required',
        '/mirrorProperties/m/path',
        '/ownership/type',
      ]),
    );
    expect(body.message).toContain('more)');
  });

  test('every contradiction inside the document, each with its path', async () => {
    const body = await refuses(
      blueprintBody(unique('odd'), {
        properties: {
          a: { type: 'string', format: 'labeled-url', enum: ['x', 1] },
          b: { type: 'string', enum: ['x'], enumColors: { x: 'beige' } },
          c: { type: 'string', pattern: '(' },
          d: { type: 'number', format: 'url', spec: 'open-api' },
        },
        required: ['a', 'gone'],
        relations: { both: { target: '_team', many: true, required: true } },
        mirrorProperties: { m: { path: 'nothing.$title' }, a: { path: 'both.$title' } },
      }),
      422,
      'invalid_request',
    );
    expect(issuePaths(body).sort()).toEqual(
      [
        '/mirrorProperties/a',
        '/schema/required/1',
        '/schema/properties/a/format',
        '/schema/properties/a/enum/1',
        '/schema/properties/b/enumColors/x',
        '/schema/properties/c',
        '/schema/properties/d/format',
        '/schema/properties/d/spec',
        '/relations/both',
        '/mirrorProperties/m/path',
      ].sort(),
    );
  });

  test.each(['.', '..', '', 'a b', 'a#b', 'a?b', 'x'.repeat(101)])('the identifier %j', async (identifier) => {
    const body = await refuses(blueprintBody(identifier), 422, 'invalid_request');
    expect(issuePaths(body)).toContain('/identifier');
  });

  test('a system blueprint that the organization does not have', async () => {
    const legacy = await app.createOrganization({ model: 'legacy' });
    const answer = await legacy.request('POST', path, { body: blueprintBody('_user') });
    expect([answer.status, issuePaths(answer.body)]).toEqual([422, ['/identifier']]);
  });

  test('a path of ownership that ends where it begins', async () => {
    const identifier = unique('loop');
    const relations = { parent: { target: identifier } };
    const ownership = { type: 'Inherited', path: 'parent' };
    const body = await refuses(blueprintBody(identifier, { relations, ownership }), 422, 'invalid_request');
    expect(issuePaths(body)).toEqual(['/ownership/path']);
  });
});

describe('400', () => {
  test.each(['{', 'nul', '{"a":1,}', '\u0000', '{"__proto__":{"x":1}}'])(
    '%j is not JSON that is read',
    async (payload) => {
      const answer = await app.request('POST', path, { payload });
      expect([answer.status, answer.body.error]).toEqual([400, 'invalid_json']);
    },
  );
});
