import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createTestApp, type TestApp } from '../build-test-app.ts';
import { createBlueprint, issuePaths, unique } from '../catalog-fixtures.ts';

let app: TestApp;
let blueprint: string;
let action: string;
beforeAll(async () => {
  app = await createTestApp();
});
afterAll(() => app.close());
beforeEach(async () => {
  blueprint = await createBlueprint(app.request, 'thing');
  action = unique('act');
  expect((await app.request('POST', '/v1/actions', { body: actionBody() })).status).toBe(201);
});

/** Nothing of this can ever be carried out: grammar, names that are not defined, and braces of the platform's own quotes. */
const broken = ['test-rel.$identifier', '.a.', '["a"', '$nope', 'nope(1)', "'a' +"];
const sound = ['.a.b', '1 + 1', "'a'", '$__loc__', '.a | test("(")', 'error("x")'];

const actionBody = (more: object = {}) => ({
  identifier: action,
  trigger: { type: 'self-service', operation: 'CREATE', userInputs: { properties: {} } },
  invocationMethod: { type: 'KAFKA', payload: {} },
  ...more,
});
const form = (userInputs: object) => ({ trigger: { type: 'self-service', operation: 'CREATE', userInputs } });
const automation = (expression: string) => ({
  trigger: {
    type: 'automation',
    event: { type: 'ANY_ENTITY_CHANGE', blueprintIdentifier: blueprint },
    condition: { type: 'JQ', expressions: ['true', expression] },
  },
});
const write = (method: 'POST' | 'PUT' | 'PATCH', path: string, body: object) => app.request(method, path, { body });
const putAction = (more: object) => write('PUT', `/v1/actions/${action}`, actionBody(more));
const createAction = (more: object) => write('POST', '/v1/actions', { ...actionBody(more), identifier: unique('act') });
const schema = { properties: {} };
const calculation = (expression: string) => ({
  calculationProperties: { sum: { type: 'string', calculation: expression } },
});
const createHook = (more: object) =>
  write('POST', '/v1/webhooks', { identifier: unique('hook'), title: 'Hook', ...more });
const mapping = (text: string) => ({
  blueprint,
  filter: 'true',
  entity: { identifier: '.id', properties: { a: text } },
});
const config = (entity: object, query = 'true') => ({
  resources: [{ kind: 'repository', selector: { query }, port: { entity: { mappings: entity } } }],
});
const ocean = (text: string) => config({ identifier: text, blueprint: '"thing"' });
const createIntegration = (given: object) =>
  write('POST', '/v1/integration', { installationId: unique('ocean').toLowerCase(), config: given });
const query = { combinator: 'and', rules: [{ property: '$title', operator: '=', value: 'a' }] };
const policy = (verb: 'execute' | 'approve', more: object) =>
  write('PATCH', `/v1/actions/${action}/permissions`, {
    [verb]: { policy: { queries: { found: query }, conditions: ['true'], ...more } },
  });

type Place = readonly [string, string, (expression: string) => ReturnType<TestApp['request']>];

/** Everywhere that JQ is stored because somebody wrote it, and where in what was sent it stands. */
const kept: readonly Place[] = [
  [
    'a calculation of a new blueprint',
    '/calculationProperties/sum/calculation',
    (jq) => write('POST', '/v1/blueprints', { identifier: unique('b'), title: 'B', schema, ...calculation(jq) }),
  ],
  [
    'a calculation of a blueprint that is replaced',
    '/calculationProperties/sum/calculation',
    (jq) =>
      write('PUT', `/v1/blueprints/${blueprint}`, { identifier: blueprint, title: 'B', schema, ...calculation(jq) }),
  ],
  [
    'a calculation of a blueprint that is changed',
    '/calculationProperties/sum/calculation',
    (jq) => write('PATCH', `/v1/blueprints/${blueprint}`, calculation(jq)),
  ],
  [
    'an expression of a form',
    '/trigger/userInputs/properties/a/visible/jqQuery',
    (jq) => createAction(form({ properties: { a: { type: 'string', visible: { jqQuery: jq } } } })),
  ],
  [
    'what a form requires',
    '/trigger/userInputs/required/jqQuery',
    (jq) => putAction(form({ properties: {}, required: { jqQuery: jq } })),
  ],
  [
    'what a backend is sent',
    '/invocationMethod/payload/a/0',
    (jq) => putAction({ invocationMethod: { type: 'KAFKA', payload: { a: [`x {{ ${jq} }}`] } } }),
  ],
  [
    'the condition of an automation',
    '/trigger/condition/expressions/1',
    (jq) => createAction(automation(jq.replace('.a', '.diff'))),
  ],
  ['a mapping of a webhook', '/mappings/0/entity/properties/a', (jq) => createHook({ mappings: [mapping(jq)] })],
  [
    'the filter of a webhook',
    '/mappings/0/filter',
    (jq) => createHook({ mappings: [{ ...mapping('.a'), filter: jq }] }),
  ],
  [
    'what identifies a delivery',
    '/security/requestIdentifierPath',
    (jq) => createHook({ security: { requestIdentifierPath: jq } }),
  ],
  [
    'a mapping of a new integration',
    '/config/resources/0/port/entity/mappings/identifier',
    (jq) => createIntegration(ocean(jq)),
  ],
  [
    'the selector of an integration',
    '/config/resources/0/selector/query',
    async (jq) => {
      const { body } = await createIntegration(ocean('.id'));
      const path = `/v1/integration/${body.integration.installationId}`;
      return write('PATCH', path, { config: config([{ identifier: '.id', blueprint: '"thing"' }], jq) });
    },
  ],
];

const refused: readonly Place[] = [
  ['a condition that lets people run', '/execute/policy/conditions/0', (jq) => policy('execute', { conditions: [jq] })],
  [
    'a condition that names approvers',
    '/approve/policy/conditions/1',
    (jq) => policy('approve', { conditions: ['[]', jq] }),
  ],
  [
    'what a query of a policy looks for',
    '/execute/policy/queries/found/rules/0/value',
    (jq) =>
      policy('execute', {
        queries: { found: { ...query, rules: [{ property: '$title', operator: '=', value: `{{ ${jq} }}` }] } },
      }),
  ],
  [
    'a policy that is tried',
    '/execute/policy/conditions/0',
    (jq) =>
      write('POST', '/v1/forms/test', {
        action: actionBody(),
        properties: {},
        permissions: { execute: { policy: { queries: { found: query }, conditions: [jq] } } },
      }),
  ],
  [
    'a mapping of a data migration',
    '/mapping/entity/title',
    (jq) =>
      write('POST', '/v1/migrations', { sourceBlueprint: blueprint, mapping: { blueprint, entity: { title: jq } } }),
  ],
];

describe.each(kept)('%s', (_, path, store) => {
  test.each(broken)('that cannot be read is kept, and told: %s', async (jq) => {
    const { status, headers, body } = await store(jq);
    expect([status < 300, status], JSON.stringify(body)).toEqual([true, status]);
    expect(headers['warning'] ?? 'no warning').toContain(`${path} cannot be read and`);
  });
  test.each(sound)('that can be read is kept without a word: %s', async (jq) => {
    const { status, headers } = await store(jq);
    expect([status < 300, headers['warning']]).toEqual([true, undefined]);
  });
});

describe.each(refused)('%s', (_, path, store) => {
  test.each(broken)('that cannot be read is refused: %s', async (jq) => {
    const answer = await store(jq);
    expect([answer.status, answer.status === 422 ? issuePaths(answer.body) : answer.body]).toEqual([422, [path]]);
  });
  test.each(sound)('that can be read is not: %s', async (jq) => {
    const { status, body } = await store(jq);
    expect([status < 300, status], JSON.stringify(body)).toEqual([true, status]);
  });
});

test('a refused policy leaves the rights as they were', async () => {
  const path = `/v1/actions/${action}/permissions`;
  const before = (await app.request('GET', path)).body;
  for (const conditions of [
    ['[".results."]', '.results.'],
    ['["$nope"]', '$nope'],
  ]) {
    expect((await policy('execute', { conditions })).status).toBe(422);
  }
  expect((await app.request('GET', path)).body).toEqual(before);
});

test('texts that searches fill in themselves are no JQ to a policy', async () => {
  const rules = [{ property: '$team', operator: 'containsAny', value: '{{getUserTeams()}}' }];
  expect((await policy('execute', { queries: { found: { combinator: 'and', rules } } })).status).toBe(200);
});

test('a calculation that cannot be read has no value, and its entities are written all the same', async () => {
  await write('PATCH', `/v1/blueprints/${blueprint}`, calculation('test-rel.$identifier'));
  const made = await write('POST', `/v1/blueprints/${blueprint}/entities`, { identifier: 'a', properties: {} });
  expect([made.status, made.body.entity.properties['sum'] ?? null]).toEqual([201, null]);
  const { body } = await app.request('GET', `/v1/blueprints/${blueprint}`);
  expect(body.blueprint.calculationProperties.sum.calculation).toBe('test-rel.$identifier');
  const renamed = await app.request('PATCH', `/v1/blueprints/${blueprint}`, {
    body: { identifier: unique('renamed') },
  });
  expect(renamed.status).toBe(200);
});
