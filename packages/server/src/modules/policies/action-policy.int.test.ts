import { actionPolicy } from '@portolan/contract/action-policy';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createTestApp, type TestApp, type TestOrganization } from '../../../test/build-test-app.ts';
import { blueprintBody, createEntity } from '../../../test/catalog-fixtures.ts';
import { seedPeople } from '../../../test/people-fixtures.ts';
import { type Actor, systemActor } from '../../platform/actor.ts';
import { findUserActor } from '../accounts/index.ts';
import { getEntity } from '../entities/index.ts';
import { evaluateActionPolicy, type PolicyContext } from './evaluate-action-policy.ts';

let app: TestApp;
let pat: Actor;
beforeAll(async () => {
  app = await createTestApp();
  const { request } = app;
  await createEntity(request, '_team', { identifier: 'crew', title: 'The Crew' });
  await createEntity(request, '_team', { identifier: 'others' });
  await createEntity(request, '_user', {
    identifier: 'pat@example.com',
    title: 'Pat Doe',
    team: 'crew',
    properties: { status: 'Active', port_role: 'Member' },
  });
  for (const name of ['service', 'secret']) {
    const properties = { stage: { type: 'string' }, owner: { type: 'string' }, size: { type: 'number' } };
    await request('POST', '/v1/blueprints', {
      body: blueprintBody(name, { properties, ownership: { type: 'Direct' } }),
    });
  }
  await request('PATCH', '/v1/blueprints/secret/permissions', { body: { entities: { read: { roles: ['Admin'] } } } });
  const make = (blueprint: string, identifier: string, team: string[], properties: object) =>
    createEntity(request, blueprint, { identifier, team, properties });
  await make('service', 'a', ['crew'], { stage: 'open', owner: 'pat@example.com', size: 1 });
  await make('service', 'b', ['others'], { stage: 'shut', size: 2 });
  await make('service', 'ghostly', ['ghost'], { stage: 'ghostly', size: 3 });
  await make('secret', 's', ['others'], { stage: 'hidden', owner: 'boss@example.com' });
  const found = await findUserActor(
    app.database,
    { orgId: app.organization.id, model: 'blueprints' },
    'pat@example.com',
  );
  pat = found?.actor as Actor;
});
afterAll(() => app.close());

const about: PolicyContext = {
  blueprint: { identifier: 'service' },
  action: { identifier: 'deploy' },
  inputs: {
    stage: 'open',
    nothing: null,
    object: { context: 'user', property: '$identifier' },
    list: ['open', 'shut'],
  },
  trigger: { at: '2026-01-15T09:00:00Z', user: { email: 'pat@example.com' } },
};
const rule = (property: string, operator: string, value: unknown) => ({ property, operator, value });
const all = (...rules: object[]) => ({ combinator: 'and' as const, rules: rules as Record<string, unknown>[] });
const services = rule('$blueprint', '=', 'service');
const decide = async (
  queries: Parameters<typeof evaluateActionPolicy>[3]['queries'],
  conditions: string[],
  { actor = pat, operation = 'execute' as 'execute' | 'approve', context = about } = {},
) => {
  const policy = actionPolicy.parse({ queries, conditions });
  const deps = { database: app.database, clock: app.clock };
  const isHere = actor.orgId === app.organization.id;
  const found = isHere ? await getEntity(deps, systemActor(actor.orgId), 'service', 'ghostly') : undefined;
  const asked = found ? { ...context, entity: found.entity } : context;
  return evaluateActionPolicy(deps, actor, operation, policy, asked);
};
const counts = (outcome: Awaited<ReturnType<typeof decide>>) => outcome.queries.map(({ count }) => count);

describe('a policy of an action', () => {
  test.each([
    ['an input', rule('stage', '=', '{{ .inputs.stage }}'), 1],
    ['a list of inputs', rule('stage', 'in', '{{ .inputs.list }}'), 2],
    ['a list inside a list', rule('stage', 'in', ['{{ .inputs.list }}']), 2],
    ['a text around a block', rule('owner', '=', '{{ .trigger.user.email | split("@") | .[0] }}@example.com'), 1],
    ['the user’s teams', rule('$team', 'containsAny', '{{ .user.team }}'), 1],
    ['the caller in context', rule('owner', '=', { context: 'user', property: '$identifier' }), 1],
    ['the entity', rule('$identifier', '!=', '{{ .entity.identifier }}'), 2],
    ['quotes of the platform', rule('stage', '=', "{{ if .inputs.stage == 'open' then 'shut' else 'open' end }}"), 1],
  ])('fills in %s', async (_what, filled, count) => {
    const outcome = await decide({ q: all(services, filled) }, ['.results.q.entities | length > 0']);
    expect(outcome, JSON.stringify(outcome)).toMatchObject({ isGranted: true, queries: [{ name: 'q', count }] });
  });

  test('reads with the platform’s rights, and nothing of another organization', async () => {
    const other = await app.createOrganization();
    await other.request('POST', '/v1/blueprints', { body: blueprintBody('secret') });
    await createEntity(other.request, 'secret', { identifier: 'foreign' });
    const outcome = await decide({ q: all(rule('$blueprint', '=', 'secret')) }, [
      '[.results.q.entities[].identifier] == ["s"]',
    ]);
    expect(outcome.isGranted).toBe(true);
  });

  test('hands at most a thousand entities to its conditions, and says that there were more', async () => {
    await app.request('POST', '/v1/blueprints', { body: blueprintBody('many') });
    for (let start = 0; start < 1_005; start += 20) {
      const entities = Array.from({ length: Math.min(20, 1_005 - start) }, (_, index) => ({
        identifier: `m${start + index}`,
      }));
      await app.request('POST', '/v1/blueprints/many/entities/bulk', { body: { entities } });
    }
    const outcome = await decide({ q: all(rule('$blueprint', '=', 'many')) }, ['.results.q.entities | length == 1000']);
    expect(outcome).toMatchObject({ isGranted: true, queries: [{ count: 1_000, isCut: true }] });
  });

  test.each([
    ['a template that fails', rule('stage', '=', '{{ .inputs.stage | error }}')],
    ['a template without a value', rule('owner', '=', '{{ .inputs.nothing }}')],
    ['an input that would be part of the rule', rule('owner', '=', '{{ .inputs.object }}')],
    ['braces that do not close', rule('owner', '=', '{{ .inputs.stage')],
    ['no operator of a search', rule('owner', 'is', 'x')],
    ['a runaway', rule('owner', '=', '{{ [range(1e9)] | length }}')],
  ])('leaves out a query for %s, and no condition is met by its absence', async (_what, failing) => {
    const outcome = await decide({ bad: all(services, failing), good: all(services) }, [
      '.results.bad.entities | length == 0',
      '[.results[].entities[]] | length == 3',
      '.results | length == 1',
    ]);
    expect(outcome).toMatchObject({
      isGranted: false,
      queries: [
        { name: 'bad', count: 0 },
        { name: 'good', count: 3 },
      ],
    });
    expect(outcome.queries[0]?.failure).toEqual(expect.any(String));
    expect(outcome.conditions.map(({ failure }) => failure)).toEqual(Array(3).fill(expect.stringContaining('"bad"')));
    const alone = await decide({ bad: all(services, failing), good: all(services) }, [
      '.results.good.entities | length == 3',
    ]);
    expect(alone.isGranted).toBe(true);
  });

  test.each([
    'error("x")',
    '.nothing.of | error',
    '"true"',
    '1',
    'null',
    'empty',
    '[true]',
    '((',
    'def f: f; f',
    '[range(1e9)] | length > 0',
    '"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa!" | test("^(a+)+$")',
    'env.HOME != null',
  ])('the condition %s grants nothing', async (condition) => {
    const outcome = await decide({ q: all(services) }, [condition]);
    expect(outcome.isGranted).toBe(false);
    expect(outcome.approvers).toEqual([]);
  });

  test('is granted by any of its conditions, whatever the others do', async () => {
    expect((await decide({ q: all(services) }, ['error("x")', 'false', 'true'])).isGranted).toBe(true);
    expect((await decide({ q: all(services) }, ['false', 'false'])).isGranted).toBe(false);
  });

  test('all conditions together have a limit: when it is reached, none is met', async () => {
    const outcome = await decide({ q: all(services) }, Array(20).fill('[limit(1e8; repeat(1))] | length > 0'));
    expect(outcome.isGranted).toBe(false);
    expect(outcome.conditions.filter(({ failure }) => failure === undefined)).toEqual([]);
  });

  test('a team that resolved to nothing is no team to its rules and expressions', async () => {
    await createEntity(app.request, '_team', { identifier: 'ghost' });
    const member: Actor = { ...pat, teamKeys: [...pat.teamKeys, 't_none'] };
    const ghostly = all(services, rule('stage', '=', 'ghostly'));
    const outcome = await decide(
      { q: ghostly, byRule: all(services, rule('$team', 'in', ['ghost'])) },
      [
        '.results.q.entities[0].team | index("ghost") != null',
        '.results.byRule.entities | length > 0',
        '.entity.team != []',
      ],
      { actor: member },
    );
    expect([outcome.isGranted, counts(outcome)]).toEqual([false, [1, 0]]);
  });

  test('approvers are the addresses of all conditions, each once', async () => {
    const outcome = await decide(
      { q: all(rule('owner', 'isNotEmpty', undefined)), r: all(services) },
      ['["pat@example.com", "x@example.com"]', '["x@example.com"]', '"y@example.com"', '[1]', 'error', '[]'],
      { operation: 'approve' },
    );
    expect(outcome).toMatchObject({ isGranted: true, approvers: ['pat@example.com', 'x@example.com'] });
    const others = await decide({ q: all(services) }, ['["x@example.com"]'], { operation: 'approve' });
    expect(others.isGranted).toBe(false);
  });
});

describe.each(['legacy', 'beta', 'blueprints'] as const)('the user in model %s', (model) => {
  let organization: TestOrganization;
  let actor: Actor;
  beforeAll(async () => {
    organization = await app.createOrganization({ model });
    const { id: orgId } = organization;
    const person = { identifier: 'pat@example.com', title: 'Pat Doe', role: 'Member', teams: ['crew'] } as const;
    await seedPeople(app.database, orgId, ['crew'], [person]);
    const found = await findUserActor(app.database, { orgId, model }, 'pat@example.com');
    actor = found?.actor as Actor;
  });

  test('has the address, the role and the teams in every form', async () => {
    const outcome = await decide(
      { q: all(services) },
      [
        '.user.email != "pat@example.com"',
        '.user.identifier != "pat@example.com"',
        `.user.team != ["${model === 'blueprints' ? 'crew' : 'The crew'}"]`,
        '.user.teams != [{"identifier": "crew", "name": "The crew"}]',
        '.user.teamsIdentifiers != ["crew"]',
        '.user.properties.port_role != "Member"',
        '.user.firstName != "Pat" or .user.lastName != "Doe"',
        '.user.relations == null',
      ],
      { actor },
    );
    expect(outcome.conditions.filter(({ answer }) => answer !== false)).toEqual([]);
    expect(outcome.conditions.flatMap(({ failure }) => failure ?? [])).toEqual([]);
  });
});
