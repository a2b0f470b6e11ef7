import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createTestApp, type TestApp } from '../../../test/build-test-app.ts';
import { createEntity, emptyMaps, issuePaths } from '../../../test/catalog-fixtures.ts';

let app: TestApp;
beforeAll(async () => {
  app = await createTestApp();
});
afterAll(() => app.close());

const path = '/v1/blueprints';
const read = async (name: string) => (await app.request('GET', `${path}/${name}`)).body.blueprint;
const structure = async (name: string) => (await app.request('GET', `${path}/system/${name}/structure`)).body.blueprint;

/** The document without the names that the specification does not give, and without maps that are empty. */
function specified(blueprint: Record<string, unknown>) {
  const { createdAt, createdBy, updatedAt, updatedBy, icon, ...rest } = blueprint;
  const isEmpty = ([key, value]: [string, unknown]) => key in emptyMaps && Object.keys(value as object).length === 0;
  return Object.fromEntries(Object.entries(rest).filter((entry) => !isEmpty(entry)));
}

const text = (title: string, description?: string, more: object = {}) => ({
  type: 'string',
  title,
  ...(description ? { description } : {}),
  ...more,
});

test('_ai_agent is what the specification lists', async () => {
  expect(specified(await read('_ai_agent'))).toEqual({
    identifier: '_ai_agent',
    title: 'AI Agent',
    schema: {
      properties: {
        description: text('Description', 'Brief explanation of what the agent does'),
        status: text('Status', 'Whether the agent may be run manually or operate autonomously', {
          enum: ['active', 'inactive'],
          enumColors: { active: 'green', inactive: 'red' },
          default: 'active',
        }),
        tools: {
          type: 'array',
          title: 'Tools',
          description: 'Regular expressions of the tools the agent may execute',
          items: { type: 'string' },
          default: ['^(list|get|search|track|describe)_.*'],
        },
        prompt: text(
          'Prompt',
          'System prompt of the agent; for manual invocations a user prompt is supplied at invocation',
          { format: 'markdown', maxLength: 2500 },
        ),
        execution_mode: text('Execution Mode', undefined, {
          enum: ['Automatic', 'Approval Required'],
          default: 'Approval Required',
        }),
        conversation_starters: {
          type: 'array',
          title: 'Conversation Starters',
          description: 'Predefined starter messages for users',
          items: { type: 'string' },
        },
        provider: text('Provider'),
        model: text('Model'),
        labels: { type: 'object', title: 'Labels', description: 'Free labels identifying attributes of the agent' },
      },
      required: ['status', 'tools', 'prompt'],
    },
    ownership: { type: 'Direct', title: 'Owning Teams' },
    aggregationProperties: {
      total_invocations: {
        title: 'Total Invocations',
        type: 'number',
        target: '_ai_invocations',
        calculationSpec: { calculationBy: 'entities', func: 'count' },
      },
    },
  });
});

test('_ai_invocations is what the specification lists', async () => {
  expect(specified(await read('_ai_invocations'))).toEqual({
    identifier: '_ai_invocations',
    title: 'AI Invocation',
    schema: {
      properties: {
        status: text('Status', undefined, {
          enum: ['In Progress', 'Completed', 'Failed'],
          enumColors: { 'In Progress': 'blue', Completed: 'green', Failed: 'red' },
        }),
        asked_at: text('Asked At', 'When the agent was invoked', { format: 'date-time' }),
        replied_at: text('Replied At', 'When the agent replied', { format: 'date-time' }),
        prompt: text('Prompt', 'Prompt sent, including both the user prompt and the agent prompt', {
          format: 'markdown',
        }),
        error: text('Error', 'Detailed description of an error when execution failed'),
        response: text('Response', 'Final agent response', { format: 'markdown' }),
        execution_logs: text('Execution Logs', 'Reasoning and tool-execution logs', { format: 'markdown' }),
        labels: {
          type: 'object',
          title: 'Labels',
          description: 'Free labels identifying attributes of the invocation',
        },
        quota: { type: 'object', title: 'Quota', description: 'Quota usage' },
        provider: text('Provider', 'LLM provider used'),
        model: text('Model', 'LLM model used'),
      },
      required: ['status', 'asked_at'],
    },
    relations: {
      agent: { title: 'Agent', target: '_ai_agent', required: false, many: false },
      asked_by: { title: 'Asked By', target: '_user', required: false, many: false },
    },
    mirrorProperties: { agent_title: { title: 'Agent Title', path: 'agent.$title' } },
    ownership: { type: 'Inherited', title: 'Owning Teams', path: 'agent' },
  });
});

test('_user has the managed fields, and its teams are its ownership', async () => {
  const user = await read('_user');
  expect(Object.keys(user.schema.properties).sort()).toEqual([
    'moderated_blueprints',
    'port_role',
    'port_type',
    'status',
  ]);
  expect(user.schema.properties.status).toMatchObject({
    enum: ['Active', 'Invited', 'Staged', 'Disabled'],
    enumColors: { Active: 'green', Invited: 'yellow', Staged: 'lightGray', Disabled: 'red' },
  });
  expect(user.schema.properties.port_role.enum).toEqual(['Admin', 'Moderator', 'Member']);
  expect(user.schema.properties.port_type).toMatchObject({
    enum: ['Standard', 'Service Account'],
    default: 'Standard',
  });
  expect(user.ownership).toEqual({ type: 'Direct', title: 'Teams' });
});

test('_team counts the users it owns', async () => {
  const team = await read('_team');
  expect(Object.keys(team.schema.properties)).toEqual(['description']);
  expect(team.aggregationProperties.size).toEqual({
    title: 'Size',
    type: 'number',
    target: '_user',
    calculationSpec: { calculationBy: 'entities', func: 'count' },
    pathFilter: [{ path: ['$team'], fromBlueprint: '_user' }],
  });
});

describe.each(['legacy', 'beta', 'blueprints'])('in an organization of model %s', (model) => {
  test('every system blueprint can be read, written back as it is, and extended', async () => {
    const { request } = await app.createOrganization({ model });
    const { body } = await request('GET', path);
    for (const blueprint of body.blueprints) {
      const at = `${path}/${blueprint.identifier}`;
      const base = (await request('GET', `${path}/system/${blueprint.identifier}/structure`)).body.blueprint;
      expect(blueprint).toMatchObject(base);
      expect((await request('PUT', at, { body: base })).status).toBe(200);
      const cost = { type: 'number', title: 'Cost' };
      const extended = await request('PATCH', at, { body: { schema: { properties: { cost } } } });
      expect(extended.status, JSON.stringify(extended.body)).toBe(200);
      expect(extended.body.blueprint.schema.properties.cost).toEqual(cost);
      expect((await request('GET', `${path}/system/${blueprint.identifier}/structure`)).body.blueprint).toEqual(base);
    }
  });
});

test('a client that leaves out what is the default extends them by PUT', async () => {
  const { request } = await app.createOrganization();
  const { blueprints } = (await request('GET', path)).body;
  const system = blueprints.filter(({ identifier }: { identifier: string }) => identifier.startsWith('_'));
  expect(system.length).toBeGreaterThan(4);
  for (const blueprint of system) {
    const without = (part: Record<string, object>, defaults: Record<string, unknown>) =>
      Object.fromEntries(
        Object.entries(part).map(([key, value]) => [
          key,
          Object.fromEntries(Object.entries(value).filter(([name, said]) => defaults[name] !== said)),
        ]),
      );
    const { createdAt, createdBy, updatedAt, updatedBy, ...rest } = blueprint;
    const body = {
      ...rest,
      description: null,
      schema: { ...rest.schema, properties: { ...rest.schema.properties, cost: { type: 'number', title: 'Cost' } } },
      relations: without(rest.relations, { required: false, many: false }),
      aggregationProperties: without(rest.aggregationProperties, { type: 'number' }),
    };
    const answer = await request('PUT', `${path}/${blueprint.identifier}`, { body });
    expect([blueprint.identifier, answer.status, answer.body.details]).toEqual([blueprint.identifier, 200, undefined]);
    expect(answer.body.blueprint.schema.properties.cost).toEqual({ type: 'number', title: 'Cost' });
  }
});

describe('422 managed_field', () => {
  const refused = async (name: string, edit: (base: Record<string, unknown>) => object) => {
    const before = await read(name);
    const body = { ...(await structure(name)) };
    const answer = await app.request('PUT', `${path}/${name}`, { body: { ...body, ...edit(body) } });
    expect([answer.status, answer.body.error]).toEqual([422, 'managed_field']);
    expect(await read(name)).toEqual(before);
    return issuePaths(answer.body);
  };

  test('for every base field that is missing or differs', async () => {
    expect(
      await refused('_ai_agent', ({ schema }) => {
        const { prompt, ...properties } = (schema as { properties: Record<string, object> }).properties;
        const status = { ...properties['status'], default: 'inactive' };
        return {
          title: 'Mine',
          schema: { properties: { ...properties, status }, required: ['status'] },
          ownership: undefined,
        };
      }),
    ).toEqual(
      expect.arrayContaining(['/title', '/schema/properties/prompt', '/schema/properties/status', '/ownership']),
    );
    expect(await refused('_ai_invocations', () => ({ relations: {}, mirrorProperties: {} }))).toEqual([
      '/relations/agent',
      '/relations/asked_by',
      '/mirrorProperties/agent_title',
    ]);
    expect(await refused('_team', () => ({ identifier: 'crew' }))).toEqual(['/identifier']);
  });

  test('for a PATCH that removes one', async () => {
    const answer = await app.request('PATCH', `${path}/_user`, { body: { schema: { properties: { status: null } } } });
    expect([answer.status, answer.body.error]).toEqual([422, 'managed_field']);
    expect(issuePaths(answer.body)).toContain('/schema/properties/status');
  });
});

describe('the structure', () => {
  test.each(['service', '_none', 'constructor'])('404 of %s', async (name) => {
    expect((await app.request('GET', `${path}/system/${name}/structure`)).status).toBe(404);
  });

  test('404 of users where users are not blueprints', async () => {
    const legacy = await app.createOrganization({ model: 'legacy' });
    expect((await legacy.request('GET', `${path}/system/_user/structure`)).status).toBe(404);
  });
});

describe('invocations are the platform’s', () => {
  const entities = `${path}/_ai_invocations/entities`;
  const properties = { status: 'Completed', asked_at: '2026-01-01T00:00:00Z' };

  test('nobody makes one by hand', async () => {
    for (const query of ['', '?upsert=true', '?upsert=true&merge=true']) {
      const answer = await app.request('POST', entities + query, { body: { identifier: 'x', properties } });
      expect([answer.status, answer.body.error]).toEqual([422, 'managed_field']);
    }
    const bulk = await app.request('POST', `${entities}/bulk`, {
      body: { entities: [{ identifier: 'x', properties }] },
    });
    expect(bulk.status).toBe(207);
    expect(bulk.body.errors).toMatchObject([{ index: 0, statusCode: 422, error: 'managed_field' }]);
    expect((await app.request('GET', `${entities}/x`)).status).toBe(404);
  });

  test('an agent starts with its defaults and counts none', async () => {
    const agent = await createEntity(app.request, '_ai_agent', { properties: { prompt: 'Help' } });
    expect(agent.properties).toMatchObject({
      status: 'active',
      execution_mode: 'Approval Required',
      tools: ['^(list|get|search|track|describe)_.*'],
      total_invocations: 0,
    });
  });
});
