import { operations } from '@portolan/contract/operations';
import sql from 'sql-template-tag';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createTestApp, type TestApp } from './build-test-app.ts';
import { blueprintBody, createEntity } from './catalog-fixtures.ts';
import { type ConnectingApp, connectingApp, signedInBrowser } from './connecting-app.ts';
import { type McpPeer, startMcpPeer } from './mcp-peer.ts';
import { usersAndTeams } from './old-organizations.ts';
import { form, upsert } from './workflow-world.ts';

let app: TestApp;
let peer: McpPeer;
let legacy: string;
let browser: Readonly<Record<string, string>>;
let asking: ConnectingApp;

const textInput = { type: 'string' };
const hook = { type: 'WEBHOOK', url: 'https://example.com' };
const action = {
  identifier: 'ship',
  trigger: { type: 'self-service', operation: 'CREATE', userInputs: { properties: { why: textInput } } },
  invocationMethod: hook,
};
const automation = {
  identifier: 'react',
  trigger: { type: 'automation', event: { type: 'ENTITY_CREATED', blueprintIdentifier: 'thing' } },
  invocationMethod: hook,
};

const testedWorkflow = {
  identifier: 'flow',
  nodes: [form(), upsert('thing')],
  connections: [{ sourceIdentifier: 'form', targetIdentifier: 'entity' }],
};
const workflow = { identifier: 'flow', nodes: [form()], connections: [] };

/** Each row that is written, whichever statement wrote it; what is rolled back leaves none. */
async function recordWrites(): Promise<void> {
  const { database } = app;
  await database.executeAlone(sql`create table written (what text not null)`);
  await database.executeAlone(sql`
    create function record_write() returns trigger language plpgsql as $$
    begin insert into written values (tg_op || ' ' || tg_table_name); return null; end $$`);
  await database.executeAlone(sql`
    do $$ declare each text; begin
      for each in select tablename from pg_tables where schemaname = current_schema() and tablename <> 'written' loop
        execute format('create trigger record_write after insert or update or delete on %I
          for each row execute function record_write()', each);
      end loop;
    end $$`);
}

async function writtenSince(ask: () => Promise<unknown>): Promise<string[]> {
  await app.database.executeAlone(sql`delete from written`);
  await ask();
  const rows = await app.database.rows<{ what: string }>(sql`select what from written order by what`);
  return rows.map(({ what }) => what);
}

beforeAll(async () => {
  app = await createTestApp();
  peer = await startMcpPeer();
  legacy = (await app.createOrganization({ model: 'legacy' })).token;
  const make = async (path: string, body: unknown) => {
    const { status, body: answer } = await app.request('POST', path, { body });
    expect(status, JSON.stringify(answer)).toBe(201);
  };
  await make('/v1/blueprints', blueprintBody('thing', { properties: { n: { type: 'number' } } }));
  await createEntity(app.request, 'thing', { identifier: 'one', properties: { n: 1 } });
  await make('/v1/blueprints/_user/entities', {
    identifier: 'pat@example.com',
    properties: { status: 'Active', port_role: 'Member' },
  });
  await make('/v1/actions', action);
  await make('/v1/actions', automation);
  await make('/v1/mcp/servers', { identifier: 'peer', url: peer.url });
  expect((await app.request('POST', '/v1/workflows', { body: workflow })).status).toBe(200);
  const ann = await signedInBrowser(app, 'ann@example.com', 'Member');
  browser = ann.headers;
  asking = await connectingApp(app, ann);
  await app.app.jobs.drain();
  await recordWrites();
});
afterAll(async () => {
  await app.close();
  await peer.close();
});

type Asked = readonly [path: string, body?: unknown, as?: 'operator' | 'legacy' | 'browser'];
const lastWeek = { timeInterval: 'day', timeRange: { preset: 'lastWeek', timeZone: 'UTC' } };
const everything = { combinator: 'and', rules: [{ property: '$blueprint', operator: '=', value: 'thing' }] };

/** A question to every operation that says of itself that it only reads. */
const questions: Record<string, () => Asked> = {
  describeAuthorization: () => ['/v1/auth/authorizations/describe', { request: asking.query() }, 'browser'],
  evaluateForm: () => ['/v1/actions/ship/form', { properties: { why: 'x' } }],
  testForm: () => ['/v1/forms/test', { action: { ...action, identifier: 'unsaved' }, properties: { why: 'x' } }],
  testAutomation: () => ['/v1/actions/react/test', { event: { action: 'CREATE', resourceType: 'entity' } }],
  explainPermission: () => [
    '/v1/blueprints/thing/permissions/explain',
    { user: 'pat@example.com', operation: 'update', entity: 'one' },
  ],
  simulatePermissions: () => [
    '/v1/blueprints/thing/permissions/simulate',
    { user: 'pat@example.com', operation: 'update' },
  ],
  searchEntities: () => ['/v1/entities/search', everything],
  searchBlueprintEntities: () => ['/v1/blueprints/thing/entities/search', { sort: [{ property: 'n' }] }],
  searchByDatasource: () => ['/v1/blueprints/entities/datasource-entities', { datasource_prefix: 'port' }],
  topSearch: () => ['/v1/entities/top-search', { text: 'one' }],
  countRelated: () => ['/v1/blueprints/thing/entities/one/related-counts', undefined],
  groupBlueprintEntities: () => ['/v1/blueprints/thing/entities/group', { groupBy: 'n' }],
  countBlueprintValues: () => ['/v1/blueprints/thing/entities/value-counts', { properties: ['n'] }],
  previewScorecard: () => [
    '/v1/blueprints/thing/scorecards/preview',
    {
      identifier: 'ready',
      title: 'Ready',
      rules: [
        {
          identifier: 'many',
          title: 'Many',
          level: 'Bronze',
          query: { combinator: 'and', conditions: [{ property: 'n', operator: '>', value: 1 }] },
        },
      ],
    },
  ],
  aggregateEntities: () => ['/v1/entities/aggregate', { func: 'count', query: everything }],
  aggregateOverTime: () => [
    '/v1/entities/aggregate-over-time',
    {
      aggregationType: 'countEntities',
      func: 'count',
      blueprint: 'thing',
      measureTimeBy: '$createdAt',
      ...lastWeek,
    },
  ],
  getPropertiesHistory: () => [
    '/v1/entities/properties-history',
    { blueprintIdentifier: 'thing', entityIdentifier: 'one', propertyNames: ['n'], ...lastWeek },
  ],
  checkSource: () => ['/v1/sources/check', { type: 'backstage', settings: { address: 'http://127.0.0.1:9' } }],
  planInstall: () => [
    '/v1/installs/plan',
    { type: 'pagerduty', installationId: 'of-acme', settings: { apiUrl: 'https://api.example.com' } },
  ],
  planPack: () => ['/v1/packs/service-catalog/plan', {}],
  evaluateTriggerForm: () => ['/v1/workflows/flow/nodes/form/form', { inputs: { name: 'x' } }],
  testWorkflow: () => ['/v1/workflows/test', { definition: testedWorkflow, sample: { name: 'tested' } }],
  validateWorkflow: () => ['/v1/workflows/validate', workflow],
  testMapping: () => [
    '/v1/mappings/test',
    { mapping: { blueprint: 'thing', entity: { identifier: '.body.id' } }, examples: [{ body: { id: 'new' } }] },
  ],
  testMcpServer: () => ['/v1/mcp/servers/peer/test'],
  rehearseUsersAndTeams: () => [`${usersAndTeams}/rehearse`, undefined, 'legacy'],
  rehearseCutover: () => ['/v1/ai/cutover/rehearse', { stage: 'schema_testing' }],
  simulateCutover: () => [
    `/v1/operator/organizations/${app.organization.id}/cutover/simulate`,
    { stage: 'schema_testing' },
    'operator',
  ],
  checkDerivedValues: () => [`/v1/operator/organizations/${app.organization.id}/doctor/derived`, undefined, 'operator'],
};

describe('an operation that only reads writes no row', () => {
  const readOnly = operations.filter(({ isReadOnly }) => isReadOnly).map(({ id }) => id);

  test.each(readOnly)('%s', async (id) => {
    const [path, body, as] = (questions[id] as () => Asked)();
    const request = as === 'operator' ? app.operator : app.request;
    const written = await writtenSince(async () => {
      const answer = await request('POST', path, {
        ...(body === undefined ? {} : { body }),
        ...(as === 'legacy' ? { token: legacy } : {}),
        ...(as === 'browser' ? { token: null, headers: browser } : {}),
      });
      expect(answer.status, JSON.stringify(answer.body)).toBe(200);
    });
    expect(written).toEqual([]);
  });

  test('and what writes one is seen to', async () => {
    const written = await writtenSince(() => createEntity(app.request, 'thing', { identifier: 'two' }));
    expect(written).toContain('INSERT entities');
    expect(written).toContain('INSERT journal');
  });
});
