import { operations } from '@portolan/contract/operations';
import sql from 'sql-template-tag';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { asked, named, ofEntities, unnamed } from './asked-of-others.ts';
import { waitingWorkflow } from './asked-of-workflows.ts';
import { createTestApp, type TestApp, type TestOrganization } from './build-test-app.ts';
import { blueprintBody, createEntity, type Entity } from './catalog-fixtures.ts';
import { action, campaign, exemption, foreign, page, query, scorecard } from './foreign-things.ts';
import { importLines } from './import-lines.ts';

let app: TestApp;
let theirs: TestOrganization;
beforeAll(async () => {
  app = await createTestApp();
  theirs = await app.createOrganization();
  await theirs.request('POST', '/v1/blueprints', { body: blueprintBody('secret') });
  for (const { request } of [theirs, app.organization]) {
    await request('POST', '/v1/blueprints', {
      body: blueprintBody('shared', { relations: { to: { target: '_team' } } }),
    });
  }
  await createEntity(theirs.request, 'secret', { identifier: 'thing', title: 'Thing' });
  await createEntity(theirs.request, 'shared', { identifier: 'thing', title: 'Thing' });
  await createEntity(theirs.request, '_team', { identifier: 'crew', title: 'Crew' });
  const properties = { status: 'Active', port_role: 'Member' };
  await createEntity(theirs.request, '_user', { identifier: foreign.user, properties });
  const secretBody = { secretName: foreign.secret, secretValue: 'x' };
  await theirs.request('POST', '/v1/organization/secrets', { body: secretBody });
  await theirs.request('POST', '/v1/pages', { body: { identifier: foreign.page, ...page } });
  await theirs.request('POST', '/v1/sidebars/catalog/folders', { body: { identifier: foreign.folder } });
  await theirs.request('POST', '/v1/actions', { body: { identifier: foreign.action, ...action } });
  const integration = { installationId: foreign.integration };
  foreign.ingest = (await theirs.request('POST', '/v1/integration', { body: integration })).body.integration._id;
  for (const { request } of [theirs, app.organization]) {
    const hook = await request('POST', '/v1/webhooks', { body: { identifier: 'both', title: 'Both' } });
    const sent = await request('POST', new URL(hook.body.integration.url).pathname, { token: null, body: {} });
    if (request === theirs.request) foreign.delivery = sent.body.deliveryId;
  }
  await theirs.request('POST', '/v1/webhooks', { body: { identifier: foreign.webhook, title: 'Theirs' } });
  const run = await theirs.request('POST', `/v1/actions/${foreign.action}/runs`, { body: { properties: {} } });
  foreign.run = run.body.run.id;
  await theirs.request('POST', '/v1/workflows', { body: waitingWorkflow });
  const started = await theirs.request('POST', `/v1/workflows/${foreign.workflow}/runs`, { body: {} });
  foreign.workflowRun = started.body.run.identifier;
  await app.database.transaction((tx) =>
    tx.execute(sql`
      insert into workflow_node_runs (org_id, id, run_id, step, node, attempt, type, phase, goes_on, links, tries, created_at)
      values (${theirs.id}, ${foreign.nodeRun}, ${foreign.workflowRun}, 2, 'call', 2, 'WEBHOOK', 'WAIT_REPORT', false, '[]',
        1, now())`),
  );
  // the id of the run is that of its draft, too
  await app.database.transaction((tx) =>
    tx.execute(sql`
      insert into workflow_run_calls (org_id, id, state, workflow_key, workflow_identifier, version, trigger_node, inputs,
        draft, text_authors, requested_with, depth, created_by, created_by_kind, created_at, expires_at)
      values (${theirs.id}, ${foreign.workflowRun}, 'DRAFT', 1, ${foreign.workflow}, 1, 'form', '{}',
        '{"inputsHash":"sha256:0","expiresAt":"2100-01-01T00:00:00.000Z"}', '{}', '{}', 0, 'them', 'machine', now(), now())`),
  );
  await app.database.transaction((tx) =>
    tx.execute(sql`
      insert into workflow_proposals (org_id, id, state, goal, identifier, definition, warnings, questions, text_authors,
        created_by, created_by_kind, created_at, expires_at)
      values (${theirs.id}, ${foreign.proposal}, 'OPEN', 'x', 'proposed', '{"identifier":"proposed","nodes":[],"connections":[]}',
        '[]', '{}', '{}', 'them', 'machine', now(), '2100-01-01T00:00:00.000Z')`),
  );
  await app.database.transaction((tx) =>
    tx.execute(sql`
      insert into notices (org_id, user_key, id, about, workflow, run_id, started_by, subject, body, created_at)
      select org_id, key, ${foreign.notice}, ${foreign.nodeRun}, ${foreign.workflow}, ${foreign.workflowRun}, 'them', 'x', 'x',
        now() from users where org_id = ${theirs.id} and identifier = ${foreign.user}`),
  );
  const sink = { type: 'WEBHOOK', url: 'http://example.com', enabled: false };
  const made = await theirs.request('POST', '/v1/organization/changelog-destinations', { body: sink });
  foreign.destination = made.body.destination.id;
  const connected = { identifier: foreign.server, url: 'https://example.com/mcp' };
  await theirs.request('POST', '/v1/mcp/servers', { body: connected });
  foreign.app = (await theirs.request('POST', '/v1/apps', { body: { name: 'theirs' } })).body.app.id;
  foreign.token = (await theirs.request('POST', '/v1/users/me/tokens', { body: { name: 't' } })).body.token.id;
  const config = { baseUrl: 'https://models.example.com', models: ['x'] };
  await theirs.request('POST', '/v1/llm-providers', { body: { provider: foreign.provider, config } });
  await theirs.request('POST', '/v1/sources', { body: { type: 'file', identifier: foreign.source } });
  for (const { request } of [theirs, app.organization]) {
    await request('POST', '/v1/sources', { body: { type: 'file', identifier: 'both' } });
  }
  foreign.import = (await importLines(theirs.request, 'blueprint=shared&source=both', [{ identifier: 'line' }])).id;
  const client = { type: 'pagerduty', installationId: 'theirs-too', settings: { apiUrl: 'https://api.example.com' } };
  foreign.install = (await theirs.request('POST', '/v1/installs', { body: client })).body.install.id;
  await theirs.request('POST', '/v1/blueprints/shared/scorecards', { body: scorecard });
  foreign.campaign = (await theirs.request('POST', '/v1/campaigns', { body: campaign })).body.campaign.id;
  const exempted = await theirs.request('POST', '/v1/blueprints/shared/scorecards/s/exemptions', { body: exemption });
  foreign.exemption = exempted.body.exemptions[0].id;
  await createEntity(theirs.request, '_team', { identifier: 'theirs', title: 'secret' });
  await createEntity(theirs.request, '_user', { identifier: 'secret@acme.dev' });
});
afterAll(() => app.close());

describe('what another organization has answers as what nobody has', () => {
  test.each(Object.keys(asked))('%s', async (id) => {
    const [method, path, sent] = asked[id] as (typeof asked)[string];
    const kind = named[id];
    const name = kind ? foreign[kind] : ofEntities.has(id) ? 'thing' : 'secret';
    const theirsAnswer = await app.request(method, path(name), { body: sent });
    const missing = await app.request(method, path('nobody'), { body: sent });
    expect(theirsAnswer.status).toBe(404);
    expect(JSON.stringify(theirsAnswer.body).replaceAll(name, '*')).toBe(
      JSON.stringify(missing.body).replaceAll('nobody', '*'),
    );
  });

  test('every operation with a path of its own is asked', () => {
    const covered = new Set([...Object.keys(asked), ...unnamed]);
    const left = operations.filter(
      ({ id, access, tag }) => access !== 'operator' && tag !== 'AI assistant' && !covered.has(id),
    );
    expect(left.map(({ id }) => id)).toEqual([]);
  });
});

test('lists and searches show nothing of another organization', async () => {
  const { body: listed } = await app.request('GET', '/v1/blueprints');
  expect(listed.blueprints.map(({ identifier }: Entity) => identifier)).not.toContain('secret');
  const { body: found } = await app.request('POST', '/v1/entities/search', { body: query });
  expect(found).toEqual({ ok: true, entities: [], matchingBlueprints: [] });
  const named = { combinator: 'and', rules: [{ property: '$blueprint', operator: '=', value: 'secret' }] };
  expect((await app.request('POST', '/v1/entities/search', { body: named })).body.entities).toEqual([]);
});

test('campaigns show nothing of another organization', async () => {
  expect((await app.request('GET', '/v1/campaigns')).body.campaigns).toEqual([]);
  const refused = await app.request('POST', '/v1/campaigns', { body: { ...campaign, blueprint: 'secret' } });
  expect([refused.status, refused.body.error]).toEqual([404, 'not_found']);
  expect((await theirs.request('GET', '/v1/campaigns')).body.campaigns).toHaveLength(1);
});

test('an exemption of another organization is not ended where scorecard and entity have the same names', async () => {
  await createEntity(app.request, 'shared', { identifier: 'same' });
  expect((await app.request('POST', '/v1/blueprints/shared/scorecards', { body: scorecard })).status).toBe(201);
  const path = '/v1/blueprints/shared/scorecards/s/exemptions';
  const end = async (id: string) => {
    const answer = await app.request('DELETE', `${path}/${id}`);
    return JSON.stringify([answer.status, answer.body]).replaceAll(id, '*');
  };
  expect(await end(foreign.exemption)).toBe(await end('nobody'));
  expect((await app.request('GET', path)).body.exemptions).toEqual([]);
  expect((await theirs.request('GET', path)).body.exemptions).toHaveLength(1);
  expect((await app.request('DELETE', '/v1/blueprints/shared/scorecards/s')).status).toBe(200);
  expect((await app.request('DELETE', '/v1/blueprints/shared/entities/same')).status).toBe(200);
});

test('relations, targets and teams do not reach another organization', async () => {
  const target = await app.request('POST', '/v1/blueprints', {
    body: blueprintBody('y', { relations: { to: { target: 'secret' } } }),
  });
  expect(target.status).toBe(404);
  const related = await app.request('POST', '/v1/blueprints/shared/entities', {
    body: { identifier: 'r', relations: { to: 'crew' } },
  });
  expect([related.status, related.body.error]).toEqual([404, 'not_found']);
  const owned = await app.request('POST', '/v1/blueprints/shared/entities', {
    body: { identifier: 'o', team: ['crew'] },
  });
  expect(owned.headers['warning']).toContain('crew');
  await app.request('DELETE', '/v1/blueprints/shared/entities/o');
});

test('the same names live side by side', async () => {
  const mine = await createEntity(app.request, 'shared', { identifier: 'thing', title: 'Mine' });
  expect(mine.title).toBe('Mine');
  expect((await theirs.request('GET', '/v1/blueprints/shared/entities/thing')).body.entity.title).toBe('Thing');
  expect((await app.request('DELETE', '/v1/blueprints/shared/entities/thing')).status).toBe(200);
  expect((await theirs.request('GET', '/v1/blueprints/shared/entities/thing')).status).toBe(200);
});

test('a page of one is no page of the other', async () => {
  await theirs.request('POST', '/v1/blueprints/secret/entities', { body: { identifier: 'second' } });
  const page = await theirs.request('POST', '/v1/blueprints/secret/entities/search', { body: { limit: 1 } });
  const answer = await app.request('POST', '/v1/blueprints/shared/entities/search', { body: { from: page.body.next } });
  expect(answer.body.entities.every(({ title }: Entity) => title !== 'Thing')).toBe(true);
});
