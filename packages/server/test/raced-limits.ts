import sql, { join, raw } from 'sql-template-tag';
import { expect } from 'vitest';
import type { Answer, TestApp } from './build-test-app.ts';
import { campaignsWorld } from './campaigns-world.ts';
import { blueprintBody, createEntity } from './catalog-fixtures.ts';
import { connectingApp, signedInBrowser } from './connecting-app.ts';

/** A number of rows that an organization, a person or a thing may have at most. */
interface RacedLimit {
  readonly name: string;
  /** Of the source that refuses, below `packages/server/src`. */
  readonly source: string;
  readonly max: number;
  /** Resolves to a place with one row, which is copied until one more fits. */
  prepare(app: TestApp): Promise<RacedPlace>;
}

interface RacedPlace {
  readonly orgId: string;
  readonly table: string;
  /** Which rows count. */
  readonly condition?: string;
  /** Columns in which a copy differs. */
  readonly distinct: readonly string[];
  /** Columns that the database fills in. */
  readonly made?: readonly string[];
  /** Asks for one row more. */
  take(index: number): Promise<Pick<Answer, 'status' | 'body'>>;
}

let places = 0;

/** Copies the one row that counts until there is room for one more. */
export async function fillButOne({ database }: TestApp, place: RacedPlace, max: number): Promise<void> {
  const { orgId, table, condition = 'true', distinct, made = [] } = place;
  const columns = (
    await database.rows<{ name: string }>(
      sql`select column_name as name from information_schema.columns where table_name = ${table}`,
    )
  ).flatMap(({ name }) => (made.includes(name) ? [] : [name]));
  const copied = columns.map((name) => raw(distinct.includes(name) ? `t.${name} || '-' || n` : `t.${name}`));
  await database.transaction((tx) =>
    tx.execute(sql`
      insert into ${raw(table)} (${join(columns.map(raw))}) select ${join(copied)}
      from (select * from ${raw(table)} where org_id = ${orgId} and ${raw(condition)} limit 1) t,
        generate_series(1, ${max}::int - 1 - (
          select count(*)::int from ${raw(table)} where org_id = ${orgId} and ${raw(condition)})) n`),
  );
}

export async function countRows({ database }: TestApp, { orgId, table, condition = 'true' }: RacedPlace) {
  const found = await database.first<{ count: number }>(
    sql`select count(*)::int as count from ${raw(table)} where org_id = ${orgId} and ${raw(condition)}`,
  );
  return found?.count;
}

/** Asks for the first row. */
async function withFirst(place: RacedPlace): Promise<RacedPlace> {
  const { status, body } = await place.take(1000);
  expect(status, JSON.stringify(body)).toBeLessThan(300);
  return place;
}

async function newPerson(app: TestApp): Promise<string> {
  places += 1;
  const email = `person${places}@example.com`;
  await createEntity(app.request, '_user', { identifier: email, properties: { status: 'Active', port_role: 'Admin' } });
  return app.organization.personToken(email);
}

/** One more row for each request to a path. */
function posting(path: string, toBody: (index: number) => object, place: Omit<RacedPlace, 'take' | 'orgId'>) {
  return async (app: TestApp): Promise<RacedPlace> => {
    const { id, request } = await app.createOrganization();
    return withFirst({ ...place, orgId: id, take: (index) => request('POST', path, { body: toBody(index) }) });
  };
}

async function prepareStanding(app: TestApp): Promise<RacedPlace> {
  const token = await newPerson(app);
  const agent = `agent${places}`;
  const action = `act${places}`;
  const trigger = {
    type: 'self-service',
    operation: 'CREATE',
    userInputs: { properties: { why: { type: 'string' } } },
  };
  const invocationMethod = { type: 'WEBHOOK', url: 'https://example.com/hook' };
  await app.request('POST', '/v1/actions', { body: { identifier: action, trigger, invocationMethod } });
  await createEntity(app.request, '_ai_agent', { identifier: agent, title: 'A', properties: { prompt: 'x' } });
  const expiresAt = new Date(app.clock.now().getTime() + 86_400_000).toISOString();
  const take = (index: number) => {
    const body = { agent, action, inputs: { why: { const: `w${index}` } }, maxPerHour: 1, expiresAt };
    return app.request('POST', '/v1/ai/standing-approvals', { body, token });
  };
  const condition = `agent = '${agent}'`;
  return withFirst({
    orgId: app.organization.id,
    table: 'ai_standing_approvals',
    condition,
    distinct: ['id', 'action_id'],
    take,
  });
}

async function prepareTokens(app: TestApp): Promise<RacedPlace> {
  const token = await newPerson(app);
  const user = `person${places}@example.com`;
  return withFirst({
    orgId: app.organization.id,
    table: 'api_tokens',
    condition: `user_key = (select key from users u where u.org_id = api_tokens.org_id and u.identifier = '${user}')`,
    distinct: ['id', 'name', 'secret_id'],
    take: (index) => app.request('POST', '/v1/users/me/tokens', { body: { name: `t${index}` }, token }),
  });
}

async function prepareGrants(app: TestApp): Promise<RacedPlace> {
  places += 1;
  const email = `browser${places}@example.com`;
  const browser = await signedInBrowser(app, email, 'Admin');
  const first = await connectingApp(app, browser, 'First');
  const others = await Promise.all(
    Array.from({ length: 10 }, (_, index) => connectingApp(app, browser, `App ${index}`)),
  );
  return withFirst({
    orgId: app.organization.id,
    table: 'oauth_grants',
    condition: `user_key = (select key from users u where u.org_id = oauth_grants.org_id and u.identifier = '${email}')`,
    distinct: ['id', 'client_hash'],
    take: async (index) => {
      const connecting = others[index] ?? first;
      return connecting.decide(connecting.query(), { decision: 'allow', scopes: ['mcp:read'], days: 1 } as object);
    },
  });
}

async function prepareNotes(app: TestApp): Promise<RacedPlace> {
  const token = await newPerson(app);
  const user = `person${places}@example.com`;
  await app.request('PUT', '/v1/memory/settings', { body: { memoryEnabled: true } });
  await app.request('PUT', '/v1/memory/own', { body: { isOn: true }, token });
  return withFirst({
    orgId: app.organization.id,
    table: 'ai_memory_notes',
    condition: `user_key = (select key from users u where u.org_id = ai_memory_notes.org_id and u.identifier = '${user}')`,
    distinct: ['id', 'content'],
    take: (index) => app.request('POST', '/v1/memory', { body: { content: `n${index}` }, token }),
  });
}

async function prepareSeats(app: TestApp): Promise<RacedPlace> {
  const { id, request } = await app.createOrganization({ model: 'blueprints', quotas: { users: 5 } });
  return withFirst({
    orgId: id,
    table: 'users',
    condition: `type = 'Standard' and status in ('Active', 'Invited')`,
    distinct: ['key', 'identifier', 'address_key'],
    take: (index) => request('POST', '/v1/users/invite', { body: { invitee: { email: `p${index}@example.com` } } }),
  });
}

async function prepareCampaigns(app: TestApp, status: string): Promise<RacedPlace> {
  const { organization, request, body } = await campaignsWorld(app);
  return withFirst({
    orgId: organization.id,
    table: 'campaigns',
    condition: status === 'active' ? `status = 'active'` : 'true',
    distinct: ['identifier'],
    take: () => request('POST', '/v1/campaigns', { body: body({ status }) }),
  });
}

async function prepareExemptions(app: TestApp): Promise<RacedPlace> {
  const { organization, request, blueprint, scorecards } = await campaignsWorld(app);
  const names = [...Array.from({ length: 10 }, (_, index) => `e${index}`), 'e1000'];
  for (const identifier of names) await createEntity(request, blueprint, { identifier });
  return withFirst({
    orgId: organization.id,
    table: 'scorecard_exemptions',
    distinct: ['identifier', 'rule'],
    take: (index) => {
      const body = { entities: [`e${index}`], rule: 'booked', reason: 'R', until: '2027-01-31' };
      return request('POST', `${scorecards}/ready/exemptions`, { body });
    },
  });
}

async function prepareExamples(app: TestApp): Promise<RacedPlace> {
  const { id, request } = await app.createOrganization();
  await request('POST', '/v1/blueprints', { body: blueprintBody('service') });
  const made = await request('POST', '/v1/integration', {
    body: { installationId: 'ours', installationAppType: 'own', version: '1', changelogDestination: {} },
  });
  expect(made.status, JSON.stringify(made.body)).toBeLessThan(300);
  return withFirst({
    orgId: id,
    table: 'integration_examples',
    distinct: ['kind'],
    take: (index) =>
      request('POST', `/v1/integration/ours/kinds/k${index}/examples`, { body: { examples: [{ name: 'x' }] } }),
  });
}

/** Proposed over MCP, as tools alone propose. */
function prepareProposals(app: TestApp): Promise<RacedPlace> {
  const take = async (index: number) => {
    const nodes = [{ identifier: 'form', config: { type: 'SELF_SERVE_TRIGGER' } }];
    const workflow = { identifier: `proposed_${index}`, nodes, connections: [] };
    const params = { name: 'propose_workflow', arguments: { goal: 'Keep notes', workflow } };
    const { body } = await app.request('POST', '/v1/mcp', {
      body: { jsonrpc: '2.0', id: 1, method: 'tools/call', params },
    });
    const { isError, structuredContent } = body.result;
    return { status: isError ? 422 : 200, body: structuredContent };
  };
  return withFirst({
    orgId: app.organization.id,
    table: 'workflow_proposals',
    condition: `state = 'OPEN'`,
    distinct: ['id', 'identifier'],
    made: ['key'],
    take,
  });
}

export const racedLimits: readonly RacedLimit[] = [
  {
    name: 'standing approvals of an agent',
    source: 'modules/assistant/standing/give-approval.ts',
    max: 50,
    prepare: prepareStanding,
  },
  {
    name: 'tokens of a person',
    source: 'modules/identity/api-tokens/create-api-token.ts',
    max: 50,
    prepare: prepareTokens,
  },
  {
    name: 'secrets',
    source: 'modules/identity/secrets/write-secret.ts',
    max: 1000,
    prepare: posting('/v1/organization/secrets', (index) => ({ secretName: `s${index}`, secretValue: 'x' }), {
      table: 'organization_secrets',
      distinct: ['name'],
    }),
  },
  {
    name: 'credentials',
    source: 'modules/identity/apps/create-app.ts',
    max: 200,
    prepare: posting('/v1/apps', (index) => ({ name: `a${index}` }), {
      table: 'credentials',
      condition: 'user_key is null and revoked_at is null',
      distinct: ['client_id', 'name', 'secret_id'],
    }),
  },
  {
    name: 'apps that a person let in',
    source: 'modules/connected-apps/decide-authorization.ts',
    max: 100,
    prepare: prepareGrants,
  },
  { name: 'notes of a person', source: 'modules/assistant/memory/own-notes.ts', max: 50, prepare: prepareNotes },
  {
    name: 'sources',
    source: 'modules/sources/sources/write-source.ts',
    max: 200,
    prepare: posting('/v1/sources', (index) => ({ type: 'file', identifier: `s${index}` }), {
      table: 'sources',
      distinct: ['identifier', 'webhook_key'],
      made: ['key'],
    }),
  },
  {
    name: 'MCP servers',
    source: 'modules/connectors/write-servers.ts',
    max: 50,
    prepare: posting('/v1/mcp/servers', (index) => ({ identifier: `s${index}`, url: 'https://mcp.example.com' }), {
      table: 'mcp_servers',
      distinct: ['identifier'],
    }),
  },
  {
    name: 'workflows',
    source: 'modules/workflows/definitions/write-workflows.ts',
    max: 5_000,
    prepare: posting(
      '/v1/workflows',
      (index) => ({
        identifier: `w${index}`,
        nodes: [{ identifier: 'form', config: { type: 'SELF_SERVE_TRIGGER' } }],
        connections: [],
      }),
      { table: 'workflows', distinct: ['id', 'identifier'], made: ['key'] },
    ),
  },
  {
    name: 'proposals of somebody',
    source: 'modules/workflows/proposals/propose-workflow.ts',
    max: 20,
    prepare: prepareProposals,
  },
  { name: 'seats', source: 'modules/accounts/person-rules.ts', max: 5, prepare: prepareSeats },
  {
    name: 'campaigns',
    source: 'modules/campaigns/write-campaigns.ts',
    max: 500,
    prepare: (app) => prepareCampaigns(app, 'draft'),
  },
  {
    name: 'active campaigns',
    source: 'modules/campaigns/write-campaigns.ts',
    max: 50,
    prepare: (app) => prepareCampaigns(app, 'active'),
  },
  {
    name: 'exemptions of a scorecard',
    source: 'modules/campaigns/exemptions.ts',
    max: 1000,
    prepare: prepareExemptions,
  },
  {
    name: 'kinds with samples of an integration',
    source: 'modules/integrations/sync/examples.ts',
    max: 500,
    prepare: prepareExamples,
  },
];

/** Sources that refuse for a number, but count nothing that two requests could add to at once. */
export const limitsOfOneRequest: Readonly<Record<string, string>> = {
  'modules/backups/backups.module.ts': 'counts backups of its own process, between two statements without a wait',
  'modules/sources/ingest/ingest-chunk.ts': 'counts lines of one import, whose chunks come one after the other',
  'modules/sources/backstage/export-backstage.ts': 'counts what one answer holds',
};
