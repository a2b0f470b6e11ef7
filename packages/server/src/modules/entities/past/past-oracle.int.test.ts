import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestApp, type TestApp } from '../../../../test/build-test-app.ts';
import { createBlueprint, createEntity, entityPath } from '../../../../test/catalog-fixtures.ts';
import { rounds } from '../../../../test/rounds.ts';

let app: TestApp;
beforeAll(async () => {
  app = await createTestApp();
  for (const identifier of ['red', 'blue']) await createEntity(app.request, '_team', { identifier, title: identifier });
});
afterAll(() => app.close());

const names = ['a', 'b', 'c', 'd'] as const;
const name = fc.constantFrom(...names);
const target = fc.constantFrom('x', 'y', 'z');
const value = fc.option(fc.integer({ min: 0, max: 3 }), { nil: null });

/** A write; what it is refused for does not matter, since copies are taken of what came of it. */
const write = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.record({
      kind: fc.constantFrom('create', 'replace', 'merge'),
      name,
      title: fc.option(fc.constantFrom('T', 'U'), { nil: null }),
      icon: fc.option(fc.constantFrom('Star'), { nil: null }),
      team: fc.subarray(['red', 'blue']),
      first: value,
      second: value,
      one: fc.option(target, { nil: null }),
      many: fc.uniqueArray(target, { maxLength: 3 }),
    }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('delete'), name }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('rename'), name, to: name }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constantFrom('createTarget', 'deleteTarget'), name: target }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('renameTarget'), name: target, to: target }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constantFrom('renameProperty', 'renameRelation') }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constantFrom('dropProperty', 'addProperty') }) },
);
// biome-ignore lint/suspicious/noExplicitAny: a union of the shapes above
type Write = any;

interface Keys {
  first: string;
  second: string | undefined;
  one: string;
}

async function apply(blueprint: string, library: string, keys: Keys, step: Write): Promise<void> {
  const { request } = app;
  const rename = (path: string, body: object) =>
    request('PATCH', `/v1/blueprints/${blueprint}/${path}/rename`, { body });
  switch (step.kind) {
    case 'create':
    case 'replace':
    case 'merge': {
      const { title, icon, team, first, second, one, many } = step;
      const properties = { [keys.first]: first, ...(keys.second ? { [keys.second]: second } : {}) };
      const body = { identifier: step.name, title, icon, team, properties, relations: { [keys.one]: one, many } };
      const query = { create: '', replace: '?upsert=true', merge: '?upsert=true&merge=true' }[step.kind as 'create'];
      await request('POST', `/v1/blueprints/${blueprint}/entities${query}`, { body });
      return;
    }
    case 'delete':
      await request('DELETE', entityPath(blueprint, step.name));
      return;
    case 'rename':
      await request('PATCH', entityPath(blueprint, step.name), { body: { identifier: step.to } });
      return;
    case 'createTarget':
      await request('POST', `/v1/blueprints/${library}/entities`, { body: { identifier: step.name } });
      return;
    case 'deleteTarget':
      await request('DELETE', entityPath(library, step.name));
      return;
    case 'renameTarget':
      await request('PATCH', entityPath(library, step.name), { body: { identifier: step.to } });
      return;
    case 'renameProperty': {
      const next = keys.first === 'first' ? 'renamed' : 'first';
      const answer = await rename(`properties/${keys.first}`, { newPropertyName: next });
      expect(answer.status, JSON.stringify(answer.body)).toBe(200);
      keys.first = next;
      return;
    }
    case 'renameRelation': {
      const next = keys.one === 'one' ? 'main' : 'one';
      const answer = await rename(`relations/${keys.one}`, { newRelationIdentifier: next });
      expect(answer.status, JSON.stringify(answer.body)).toBe(200);
      keys.one = next;
      return;
    }
    default: {
      keys.second = step.kind === 'addProperty' ? 'second' : undefined;
      const answer = await request('PUT', `/v1/blueprints/${blueprint}`, { body: body(blueprint, library, keys) });
      expect(answer.status, JSON.stringify(answer.body)).toBe(200);
    }
  }
}

function body(identifier: string, library: string, { first, second, one }: Keys) {
  const number = { type: 'number' };
  return {
    identifier,
    title: identifier,
    schema: { properties: { [first]: number, ...(second ? { [second]: number } : {}) } },
    relations: { [one]: { target: library }, many: { target: library, many: true } },
    ownership: { type: 'Direct' },
  };
}

// biome-ignore lint/suspicious/noExplicitAny: entities as the API answers them
type Copy = Map<string, any>;

async function copy(blueprint: string): Promise<Copy> {
  const answer = await app.request('GET', `/v1/blueprints/${blueprint}/entities`);
  expect(answer.status).toBe(200);
  return new Map(answer.body.entities.map((entity: { identifier: string }) => [entity.identifier, entity]));
}

const namesOf = (entities: readonly { readonly identifier: string }[]) =>
  entities.map(({ identifier }) => identifier).sort();

/** An entity without what every change moves, and what is unset. */
function told({ updatedAt: _at, updatedBy: _by, properties, relations, ...rest }: Record<string, unknown>): string {
  const isSet = ([, value]: [string, unknown]) => value !== null && !(Array.isArray(value) && value.length === 0);
  const set = (values: unknown) =>
    Object.entries(values as object)
      .filter(isSet)
      .sort();
  return JSON.stringify([set(rest), set(properties), set(relations)]);
}

function tick(): string {
  app.clock.advance(1000);
  const at = app.clock.now().toISOString();
  app.clock.advance(1000);
  return at;
}

// each history has the time of a test
test.each(Array.from({ length: rounds(3) }, (_, index) => index + 1))(
  'what the past is said to have been is what was there, after any writes (%i)',
  async () => {
    const seed = process.env['PROPERTY_SEED'];
    await fc.assert(
      fc.asyncProperty(fc.array(write, { minLength: 12, maxLength: 30 }), async (steps) => {
        const library = await createBlueprint(app.request, 'library');
        for (const identifier of ['x', 'y']) await createEntity(app.request, library, { identifier });
        const keys: Keys = { first: 'first', second: 'second', one: 'one' };
        const blueprint = `${library}-service`;
        const made = await app.request('POST', '/v1/blueprints', { body: body(blueprint, library, keys) });
        expect(made.status, JSON.stringify(made.body)).toBe(201);
        const copies: [string, Copy, string][] = [];
        for (const step of steps) {
          await apply(blueprint, library, keys, step);
          const taken = await copy(blueprint);
          copies.push([tick(), taken, keys.first]);
        }
        for (const [at, taken, first] of copies) {
          const page = await app.request('POST', `/v1/blueprints/${blueprint}/entities/search`, {
            body: { as_of: at, limit: 1000 },
          });
          expect(page.status, JSON.stringify(page.body)).toBe(200);
          expect(
            new Map(page.body.entities.map((entity: { identifier: string }) => [entity.identifier, entity])),
          ).toEqual(taken);
          expect(page.body.asOf.entities, 'nothing of these is unknown').toEqual([]);
          const query = { combinator: 'and', rules: [{ property: first, operator: '=', value: 1 }] };
          const filtered = await app.request('POST', `/v1/blueprints/${blueprint}/entities/search`, {
            body: { as_of: at, query },
          });
          expect(filtered.status, JSON.stringify(filtered.body)).toBe(200);
          expect(namesOf(filtered.body.entities)).toEqual(
            namesOf([...taken.values()].filter(({ properties }) => properties[first] === 1)),
          );
          for (const each of names) {
            const one = await app.request('GET', `${entityPath(blueprint, each)}?as_of=${at}`);
            const expected = one.status === 200 ? taken.get(one.body.entity.identifier) : undefined;
            expect(one.body.entity).toEqual(expected);
            if (one.status === 404) expect([...taken.keys()]).not.toContain(each);
          }
        }
        const [[from, first], [to, last]] = [copies[2], copies.at(-1)] as [
          [string, Copy, string],
          [string, Copy, string],
        ];
        const changes = await app.request('GET', `/v1/blueprints/${blueprint}/entity-changes?from=${from}&to=${to}`);
        expect(changes.status, JSON.stringify(changes.body)).toBe(200);
        const lives = (taken: Copy) => new Map([...taken.values()].map((entity) => [`${entity.createdAt}`, entity]));
        const [before, after] = [lives(first), lives(last)];
        const gone = [...before.keys()].filter((life) => !after.has(life)).length;
        const come = [...after.keys()].filter((life) => !before.has(life)).length;
        const kinds = changes.body.changes.map(({ change }: { change: string }) => change);
        const count = (kind: string) => kinds.filter((each: string) => each === kind).length;
        expect({ created: count('created'), deleted: count('deleted') }).toEqual({ created: come, deleted: gone });
        const changed = [...after].flatMap(([life, entity]) => {
          const earlier = before.get(life);
          // renamings of a target or a key have no record of the entity
          const isWritten = earlier && earlier.updatedAt !== entity.updatedAt;
          return isWritten && told(earlier) !== told(entity) ? [entity] : [];
        });
        const isChanged = ({ change }: { change: string }) => change === 'changed';
        expect(namesOf(changes.body.changes.filter(isChanged))).toEqual(namesOf(changed));
      }),
      { numRuns: 1, endOnFailure: !process.env['PROPERTY_SHRINK'], ...(seed ? { seed: Number(seed) } : {}) },
    );
  },
);
