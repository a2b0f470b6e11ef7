import fc from 'fast-check';
import sql from 'sql-template-tag';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createTestApp, type TestApp } from '../../../test/build-test-app.ts';
import { createBlueprint, createEntity, issuePaths } from '../../../test/catalog-fixtures.ts';
import { rounds } from '../../../test/rounds.ts';
import { evaluatePreview } from './evaluate-preview.ts';

let app: TestApp;
beforeAll(async () => {
  app = await createTestApp();
});
afterAll(() => app.close());

const properties = {
  text: { type: 'string' },
  count: { type: 'number' },
  list: { type: 'array' },
  labels: { type: 'object' },
};
const query = (...conditions: unknown[]) => ({ combinator: 'and', conditions });
const rule = (identifier: string, level: string, ...conditions: unknown[]) => ({
  identifier,
  title: identifier,
  level,
  query: query(...conditions),
});
const hasText = { property: 'text', operator: 'isNotEmpty' };
const card = (parts: object = {}) => ({
  identifier: 'ready',
  title: 'Ready',
  rules: [rule('texted', 'Bronze', hasText)],
  ...parts,
});
const cardsPath = (blueprint: string) => `/v1/blueprints/${blueprint}/scorecards`;
const preview = (blueprint: string, body: object, options: { token?: string } = {}) =>
  app.request('POST', `${cardsPath(blueprint)}/preview`, { ...options, body });

interface Shown {
  readonly identifier: string;
  readonly title: string;
  readonly scorecards?: Readonly<
    Record<string, { level: string; rules: { identifier: string; status: 'SUCCESS' | 'FAILURE' }[] }>
  >;
}

const word = fc.constantFrom('a', 'b', 'Ab');
const number = fc.integer({ min: 0, max: 2 });
const values = fc.record(
  {
    text: fc.option(fc.oneof(word, fc.constant(''))),
    count: fc.option(number),
    list: fc.option(fc.uniqueArray(word, { maxLength: 2 })),
    labels: fc.option(fc.record({ tier: fc.option(number), owner: fc.option(word) }, { requiredKeys: [] })),
    link: fc.option(fc.constantFrom('t1', 't2')),
    team: fc.option(fc.constantFrom('core', 'edge')),
  },
  { requiredKeys: [] },
);
const condition = fc.oneof(
  fc.record({
    property: fc.constantFrom('text', 'count', 'list', 'labels', 'labels.tier', 'seen', 'twice', '$team', 'link'),
    operator: fc.constantFrom('isEmpty', 'isNotEmpty'),
  }),
  fc.record({
    relation: fc.constant('link'),
    operator: fc.constantFrom('=', '!='),
    value: fc.constantFrom('t1', 't2'),
  }),
  fc.record({
    property: fc.constantFrom('text', 'list', '$title', '$identifier', 'labels.owner'),
    operator: fc.constantFrom('contains', 'doesNotContains', 'beginsWith', 'doesNotEndsWith'),
    value: word,
  }),
  fc.record({ property: fc.constantFrom('text', 'list'), operator: fc.constant('in'), value: fc.array(word) }),
  fc.record({
    property: fc.constantFrom('count', 'seen', 'labels.tier'),
    operator: fc.constantFrom('=', '!=', '>', '<='),
    value: number,
  }),
  fc.record({
    property: fc.constant('$team'),
    operator: fc.constantFrom('=', '!=', 'contains'),
    value: fc.constantFrom('core', 'edge'),
  }),
  fc.record({
    property: fc.constantFrom('$createdAt', '$updatedAt'),
    operator: fc.constantFrom('between', 'notBetween'),
    value: fc.constant({ preset: 'lastWeek' }),
  }),
);
const rules = fc.record({
  combinator: fc.constantFrom('and', 'or'),
  conditions: fc.array(condition, { minLength: 1, maxLength: 3 }),
});
const levelNames = ['None', 'Low', 'Mid', 'High', 'Top'];
const anyCard = fc
  .record({
    filter: fc.option(rules, { nil: undefined }),
    levels: fc.subarray(levelNames, { minLength: 2 }),
    drawn: fc.array(fc.record({ level: fc.nat(), query: rules }), { maxLength: 4 }),
  })
  .map(({ filter, levels, drawn }) => ({
    identifier: 'ready',
    title: 'Ready',
    ...(filter ? { filter } : {}),
    levels: levels.map((title) => ({ title, color: 'blue' })),
    rules: drawn.map(({ level, query: asked }, index) => ({
      identifier: `r${index}`,
      title: `r${index}`,
      level: levels[1 + (level % (levels.length - 1))],
      query: asked,
    })),
  }));

describe('the preview of a scorecard', () => {
  test('is what the write then stores, of a new one and of a changed one', async () => {
    const { request } = app;
    for (const team of ['core', 'edge']) await createEntity(request, '_team', { identifier: team, title: team });
    await fc.assert(
      fc.asyncProperty(
        fc.array(values, { minLength: 1, maxLength: 6 }),
        fc.array(anyCard, { minLength: 2, maxLength: 3 }),
        async (entities, cards) => {
          const target = await createBlueprint(request, 'target', { properties: { seen: { type: 'number' } } });
          const blueprint = await createBlueprint(request, 'subject', {
            properties,
            relations: { link: { target, required: false, many: false } },
            mirrorProperties: { seen: { path: 'link.seen' } },
            calculationProperties: { twice: { calculation: '.properties.text', type: 'string' } },
            ownership: { type: 'Direct' },
          });
          await createEntity(request, target, { identifier: 't1', properties: { seen: 1 } });
          await createEntity(request, target, { identifier: 't2', properties: {} });
          const written = entities.map(({ link, team, ...own }, index) => ({
            identifier: `e${index}`,
            ...(index % 2 === 0 ? { title: `A ${index}` } : {}),
            properties: own,
            ...(link ? { relations: { link } } : {}),
            ...(team ? { team } : {}),
          }));
          const made = await request('POST', `/v1/blueprints/${blueprint}/entities/bulk`, {
            body: { entities: written },
          });
          expect(made.body.errors, JSON.stringify(made.body)).toEqual([]);
          let before = new Map<string, string>();
          let isNew = true;
          for (const each of cards) {
            const answer = await preview(blueprint, each);
            expect(answer.status, JSON.stringify(answer.body)).toBe(200);
            const path = isNew ? cardsPath(blueprint) : `${cardsPath(blueprint)}/ready`;
            const { status } = await request(isNew ? 'POST' : 'PUT', path, { body: each });
            expect([200, 201]).toContain(status);
            isNew = false;
            const found: Shown[] = (await request('GET', `/v1/blueprints/${blueprint}/entities`)).body.entities;
            const after = new Map(
              found.flatMap(({ identifier, scorecards }) => {
                const level = scorecards?.['ready']?.level;
                return level === undefined ? [] : [[identifier, level] as const];
              }),
            );
            const count = (of: ReadonlyMap<string, string>, title: string) =>
              [...of.values()].filter((level) => level === title).length;
            expect(answer.body.total).toBe(entities.length);
            const told = answer.body.levels as { title: string; before: number; after: number }[];
            expect(told).toEqual(
              told.map(({ title }) => ({ title, before: count(before, title), after: count(after, title) })),
            );
            expect(told.reduce((sum, level) => sum + level.after, 0)).toBe(after.size);
            expect(told.reduce((sum, level) => sum + level.before, 0)).toBe(before.size);
            const withStatus = (name: string, wanted: string) =>
              found
                .filter(({ scorecards }) =>
                  scorecards?.['ready']?.rules.some(
                    ({ identifier, status: its }) => identifier === name && its === wanted,
                  ),
                )
                .map(({ identifier, title }) => ({ identifier, title: title === identifier ? null : title }));
            const withNull = (list: { identifier: string; title: string | null }[]) =>
              list.map(({ identifier, title }) => ({ identifier, title: title === identifier ? null : title }));
            const rulesTold = answer.body.rules as {
              identifier: string;
              passed: number;
              failed: number;
              failing: { identifier: string; title: string | null }[];
            }[];
            expect(rulesTold.map((told_) => ({ ...told_, failing: withNull(told_.failing) }))).toEqual(
              each.rules.map(({ identifier }) => ({
                identifier,
                passed: withStatus(identifier, 'SUCCESS').length,
                failed: withStatus(identifier, 'FAILURE').length,
                failing: withStatus(identifier, 'FAILURE'),
              })),
            );
            const changed = found.flatMap(({ identifier }) => {
              const [from, to] = [before.get(identifier) ?? null, after.get(identifier) ?? null];
              return from === to ? [] : [`${identifier}: ${from} → ${to}`];
            });
            const changesTold = answer.body.changed as { identifier: string; from: string; to: string }[];
            expect(changesTold.map(({ identifier, from, to }) => `${identifier}: ${from} → ${to}`).sort()).toEqual(
              changed.sort(),
            );
            expect(answer.body.changedCount).toBe(changed.length);
            const results = (await request('GET', `${cardsPath(blueprint)}/ready/results`)).body;
            expect(results).toEqual({
              ok: true,
              total: after.size,
              levels: each.levels.map(({ title }) => ({ title, count: count(after, title) })),
              rules: rulesTold.map(({ identifier, passed, failed }) => ({ identifier, passed, failed })),
            });
            before = after;
          }
        },
      ),
      { numRuns: rounds(6) },
    );
  }, 120_000);

  test('names first who falls, ten failing entities of each rule and fifty changes, and counts all', async () => {
    const { request } = app;
    const blueprint = await createBlueprint(request, 'many', { properties });
    const entities = Array.from({ length: 140 }, (_, index) => ({
      identifier: `e${String(index).padStart(3, '0')}`,
      properties: index < 60 ? { count: 1 } : { text: 'a' },
    }));
    for (const from of [0, 20, 40, 60, 80, 100, 120]) {
      const body = { entities: entities.slice(from, from + 20) };
      await request('POST', `/v1/blueprints/${blueprint}/entities/bulk`, { body });
    }
    await request('POST', cardsPath(blueprint), { body: card() });
    const counted = rule('counted', 'Bronze', { property: 'count', operator: '=', value: 1 });
    const { body } = await preview(blueprint, card({ rules: [counted] }));
    expect(body.levels.slice(0, 2)).toEqual([
      { title: 'Basic', before: 60, after: 80 },
      { title: 'Bronze', before: 80, after: 60 },
    ]);
    expect(body.rules).toMatchObject([{ identifier: 'counted', passed: 60, failed: 80 }]);
    expect(body.rules[0].failing).toHaveLength(10);
    expect([body.changedCount, body.fallCount, body.riseCount]).toEqual([140, 80, 60]);
    expect(body.changed).toHaveLength(50);
    expect(
      body.changed.every(({ from, to }: { from: string; to: string }) => from === 'Bronze' && to === 'Basic'),
    ).toBe(true);
  });

  test('counts what a filter leaves out as fallen, and shows the levels that go', async () => {
    const { request } = app;
    const blueprint = await createBlueprint(request, 'narrowed', { properties });
    await createEntity(request, blueprint, { identifier: 'in', properties: { text: 'a', count: 1 } });
    await createEntity(request, blueprint, { identifier: 'out', properties: { text: 'a' } });
    await request('POST', cardsPath(blueprint), { body: card() });
    const { body } = await preview(
      blueprint,
      card({
        filter: query({ property: 'count', operator: 'isNotEmpty' }),
        levels: [
          { title: 'Basic', color: 'red' },
          { title: 'Fine', color: 'green' },
        ],
        rules: [rule('texted', 'Fine', hasText)],
      }),
    );
    expect(body.total).toBe(2);
    expect(body.levels).toEqual([
      { title: 'Basic', before: 0, after: 0 },
      { title: 'Fine', before: 0, after: 1 },
      { title: 'Bronze', before: 2, after: 0 },
      { title: 'Silver', before: 0, after: 0 },
      { title: 'Gold', before: 0, after: 0 },
    ]);
    expect(body.changed).toEqual([
      { identifier: 'out', title: null, from: 'Bronze', to: null },
      { identifier: 'in', title: null, from: 'Bronze', to: 'Fine' },
    ]);
    expect([body.changedCount, body.fallCount, body.riseCount]).toEqual([2, 1, 0]);
  });

  test('is refused as the write is, with the same paths', async () => {
    const blueprint = await createBlueprint(app.request, 'refused', { properties });
    const bad = [
      card({ rules: [rule('r', 'Bronze', { property: 'nope', operator: 'isEmpty' })] }),
      card({ rules: [rule('r', 'Basic', hasText)] }),
      card({ rules: [rule('r', 'Bronze', { property: 'text', operator: 'like', value: 'x' })] }),
      card({ rules: [rule('r', 'Bronze', hasText), rule('r', 'Bronze', hasText)] }),
      card({ filter: query() }),
      card({ levels: [] }),
      { title: 'Without identifier' },
    ];
    for (const body of bad) {
      const shown = await preview(blueprint, body);
      const written = await app.request('POST', cardsPath(blueprint), { body });
      expect(shown.status).toBe(422);
      expect([shown.status, issuePaths(shown.body)]).toEqual([written.status, issuePaths(written.body)]);
    }
    expect((await preview('nowhere', card())).status).toBe(404);
    expect((await preview('_rule', card())).status).toBe(422);
  });

  test('stops after its time and says so', async () => {
    const { request } = app;
    const blueprint = await createBlueprint(request, 'slow', { properties });
    for (const identifier of Array.from({ length: 25 }, (_, index) => `e${index}`)) {
      await createEntity(request, blueprint, { identifier, properties: {} });
    }
    const definition = {
      title: 'Heavy',
      rules: Array.from({ length: 200 }, (_, index) =>
        rule(`r${index}`, 'Bronze', ...Array.from({ length: 100 }, () => hasText)),
      ),
    } as never;
    const scorecard = { blueprint, identifier: 'heavy', definition, saved: undefined };
    const { id } = app.organization;
    const all = sql`e.blueprint_key = (select key from blueprints where org_id = ${id} and identifier = ${blueprint})`;
    const asked = evaluatePreview(app, id, scorecard, all, 0);
    await expect(asked).rejects.toMatchObject({
      code: 'service_unavailable',
      message: expect.stringContaining('stopped after 0 seconds and 1 entity'),
    });
  });
});

describe('who may preview', () => {
  async function world() {
    const organization = await app.createOrganization();
    const { request } = organization;
    await createEntity(request, '_team', { identifier: 'core', title: 'Core' });
    const own = await createBlueprint(request, 'own', { properties, ownership: { type: 'Direct' } });
    const secret = await createBlueprint(request, 'secret', { properties });
    const open = await createBlueprint(request, 'open', {
      properties,
      relations: { to: { target: secret, required: false, many: false } },
      mirrorProperties: { told: { path: 'to.text' } },
    });
    await createEntity(request, own, { identifier: 'mine', team: 'core', properties: { text: 'a' } });
    await createEntity(request, own, { identifier: 'theirs', properties: {} });
    await createEntity(request, secret, { identifier: 'vault', properties: {} });
    const patch = async (blueprint: string, entities: object) => {
      const answer = await request('PATCH', `/v1/blueprints/${blueprint}/permissions`, { body: { entities } });
      expect(answer.status, JSON.stringify(answer.body)).toBe(200);
    };
    await patch(own, { read: { roles: ['Admin'], ownedByTeam: true } });
    await patch(secret, { read: { roles: ['Admin'] } });
    await createEntity(request, '_user', {
      identifier: 'ann@example.com',
      team: 'core',
      properties: { status: 'Active', port_role: 'Member' },
    });
    await app.app.jobs.drain();
    const token = await organization.personToken('ann@example.com', 'Member');
    const ask = (blueprint: string, body: object, as = token) =>
      request('POST', `${cardsPath(blueprint)}/preview`, { token: as, body });
    const allow = () => patch('_scorecard', { register: { roles: ['Admin', 'Member'] } });
    return { organization, own, secret, open, token, ask, allow };
  }

  test('is who may write scorecards, and nobody learns of entities that are hidden', async () => {
    const { organization, own, secret, open, token, ask, allow } = await world();
    const refused = await ask(own, card());
    expect([refused.status, refused.body.error]).toEqual([403, 'missing_permissions']);
    expect(JSON.stringify(refused.body)).not.toContain('mine');
    await allow();
    const shown = await ask(own, card());
    expect(shown.status, JSON.stringify(shown.body)).toBe(200);
    expect(shown.body).toMatchObject({ total: 1, rules: [{ passed: 1, failed: 0, failing: [] }], changedCount: 1 });
    expect(JSON.stringify(shown.body)).not.toContain('theirs');
    expect((await ask(secret, card())).status).toBe(404);
    const told = card({ rules: [rule('r', 'Bronze', { property: 'told', operator: 'isNotEmpty' })] });
    expect((await ask(open, told)).status).toBe(422);
    // who may only create does not see what a replacement would do
    await organization.request('POST', cardsPath(own), { body: card() });
    const results = await organization.request('GET', `${cardsPath(own)}/ready/results`, { token });
    expect(results.body).toMatchObject({ total: 1, rules: [{ identifier: 'texted', passed: 1, failed: 0 }] });
    expect((await organization.request('GET', `${cardsPath(own)}/ready/results`)).body.total).toBe(2);
    expect((await ask(own, card())).body.error).toBe('identifier_taken');
    expect((await ask(own, card({ identifier: 'other' }))).status).toBe(200);
  });

  test('is not a restricted token that lacks one of the two scopes, nor another organization', async () => {
    const { organization, own } = await world();
    const { request } = organization;
    const tokenWith = async (...scopes: string[]) => {
      const body = { name: scopes.join(' '), scopes };
      const answer = await request('POST', '/v1/users/me/tokens', { body });
      expect(answer.status, JSON.stringify(answer.body)).toBe(201);
      return answer.body.accessToken as string;
    };
    const statusWith = async (...scopes: string[]) => {
      const token = await tokenWith(...scopes);
      const answer = await request('POST', `${cardsPath(own)}/preview`, { token, body: card() });
      return [answer.status, answer.body.error];
    };
    expect(await statusWith('create:scorecards')).toEqual([403, 'insufficient_scope']);
    expect(await statusWith('read:*')).toEqual([403, 'insufficient_scope']);
    expect(await statusWith('create:scorecards', 'read:entities')).toEqual([200, undefined]);
    const { request: stranger } = await app.createOrganization();
    expect((await stranger('POST', `${cardsPath(own)}/preview`, { body: card() })).status).toBe(404);
  });
});
