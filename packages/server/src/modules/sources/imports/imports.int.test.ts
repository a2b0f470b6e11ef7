import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createTestApp, type TestApp } from '../../../../test/build-test-app.ts';
import { createBlueprint, createEntity, readEntity, unique } from '../../../../test/catalog-fixtures.ts';
import { importLines } from '../../../../test/import-lines.ts';

let app: TestApp;
beforeAll(async () => {
  app = await createTestApp();
});
afterAll(() => app.close());

const service = (parts = {}) =>
  createBlueprint(app.request, 'service', {
    properties: { tier: { type: 'string', enum: ['gold', 'silver'] }, port: { type: 'number' } },
    ...parts,
  });
const count = async (blueprint: string) =>
  (await app.request('GET', `/v1/blueprints/${blueprint}/entities-count`)).body.count as number;
const fileSource = async () => {
  const answer = await app.request('POST', '/v1/sources', { body: { type: 'file', identifier: unique('list') } });
  expect(answer.status, JSON.stringify(answer.body)).toBe(201);
  return answer.body.source.identifier as string;
};
const counts = ({ created, changed, unchanged, refused, missing }: Record<string, number>) => ({
  created,
  changed,
  unchanged,
  refused,
  missing,
});

describe('an import', () => {
  test('creates, changes and leaves alone, and says of each refused line why', async () => {
    const blueprint = await service();
    await createEntity(app.request, blueprint, { identifier: 'a', properties: { tier: 'gold' } });
    await createEntity(app.request, blueprint, { identifier: 'b', properties: { tier: 'gold' } });
    const { done, problems, lines } = await importLines(app.request, `blueprint=${blueprint}`, [
      { identifier: 'a', properties: { tier: 'gold' } },
      { identifier: 'b', properties: { tier: 'silver' } },
      { identifier: 'c', properties: { tier: 'tin' } },
      '',
      '{"identifier": ',
      { title: 'nameless' },
      '[1]',
      { identifier: 'd', properties: { port: 80 } },
    ]);
    expect(counts(done)).toEqual({ created: 1, changed: 1, unchanged: 1, refused: 4, missing: 0 });
    expect(done.lines).toBe(8);
    expect(problems.map(({ line, error }) => [line, error])).toEqual([
      [5, 'invalid_json'],
      [6, 'invalid_request'],
      [7, 'invalid_request'],
      [3, 'invalid_request'],
    ]);
    expect(problems.find(({ line }) => line === 3)).toMatchObject({ identifier: 'c', path: '/properties/tier' });
    expect(lines.at(-1)).toBe(done);
    expect((await readEntity(app.request, blueprint, 'b')).properties).toMatchObject({ tier: 'silver' });
  });

  test('a plan says the same as the import that follows, and writes nothing', async () => {
    const team = await createBlueprint(app.request, 'squad');
    const own = await service({ relations: { squad: { target: team } } });
    await createEntity(app.request, own, { identifier: 'old', properties: { tier: 'gold' } });
    const lines = [
      { blueprint: own, identifier: 'x', relations: { squad: 'red' } },
      { blueprint: own, identifier: 'old', properties: { tier: 'silver' } },
      { blueprint: own, identifier: 'y', relations: { squad: 'nobody' } },
      { blueprint: team, identifier: 'red' },
    ];
    const plan = await importLines(app.request, 'dry_run=true', lines);
    expect(await count(own)).toBe(1);
    expect(await count(team)).toBe(0);
    expect(plan.changes.map(({ identifier, change }) => [identifier, change]).sort()).toEqual([
      ['old', 'changed'],
      ['red', 'created'],
      ['x', 'created'],
    ]);
    expect(plan.changes.find(({ identifier }) => identifier === 'old')).toMatchObject({
      before: { properties: { tier: 'gold' } },
      after: { properties: { tier: 'silver' } },
    });
    const applied = await importLines(app.request, '', lines);
    expect(counts(applied.done)).toEqual(counts(plan.done));
    expect(counts(applied.done)).toEqual({ created: 2, changed: 1, unchanged: 0, refused: 1, missing: 0 });
    expect(applied.problems).toMatchObject([{ line: 3, error: 'not_found', identifier: 'y' }]);
  });

  test('a plan lists the lines that it would refuse as the import that follows does, by lines', async () => {
    const blueprint = await service();
    await app.request('PATCH', `/v1/blueprints/${blueprint}`, {
      body: { relations: { next: { target: blueprint } } },
    });
    const lines = [
      { identifier: 'waits', relations: { next: 'nobody' } },
      { identifier: 'good' },
      { identifier: 'tin', properties: { tier: 'tin' } },
      '{',
      ...Array.from({ length: 500 }, (_none, at) => ({ identifier: `s${at}` })),
      { identifier: 'text', properties: { port: 'x' } },
    ];
    const listed = async (query: string, after: number) => {
      const { id } = await importLines(app.request, `${query}blueprint=${blueprint}`, lines);
      const { body } = await app.request('GET', `/v1/imports/${id}/problems?after=${after}`);
      return body.problems as Record<string, unknown>[];
    };
    const planned = await listed('dry_run=true&', 0);
    expect(planned.map(({ line, error }) => [line, error])).toEqual([
      [1, 'not_found'],
      [3, 'invalid_request'],
      [4, 'invalid_json'],
      [505, 'invalid_request'],
    ]);
    expect(await listed('', 0)).toEqual(planned);
    expect(await listed('dry_run=true&', 3)).toEqual(planned.slice(2));
    expect(await listed('dry_run=true&', 505)).toEqual([]);
  });

  test.each(['', 'dry_run=true&'])('links what comes later, in chains and circles (%s)', async (query) => {
    const blueprint = await createBlueprint(app.request, 'part');
    await app.request('PATCH', `/v1/blueprints/${blueprint}`, {
      body: { relations: { next: { target: blueprint }, all: { target: blueprint, many: true } } },
    });
    const chain = Array.from({ length: 1_200 }, (_none, at) => ({
      identifier: `c${at}`,
      relations: { next: `c${at + 1}` },
    }));
    const lines = [
      ...chain,
      { identifier: 'c1200' },
      { identifier: 'r1', relations: { next: 'r2' } },
      ...Array.from({ length: 600 }, (_none, at) => ({ identifier: `f${at}` })),
      { identifier: 'r2', relations: { next: 'r3', all: ['f1', 'r1'] } },
      ...Array.from({ length: 600 }, (_none, at) => ({ identifier: `g${at}` })),
      { identifier: 'r3', relations: { next: 'r1' } },
      // a circle that no batch holds whole
      ...Array.from({ length: 250 }, (_none, at) => ({
        identifier: `o${at}`,
        relations: { next: `o${(at + 1) % 250}` },
      })),
      { identifier: 'lost', relations: { next: 'r4' } },
      { identifier: 'r4', relations: { next: 'nobody' } },
    ];
    const { done, problems } = await importLines(app.request, `${query}blueprint=${blueprint}`, lines);
    expect(counts(done)).toEqual({ created: lines.length - 2, changed: 0, unchanged: 0, refused: 2, missing: 0 });
    expect(done.waiting).toBe(0);
    expect(problems.map(({ identifier }) => identifier).sort()).toEqual(['lost', 'r4']);
    if (query !== '') return;
    expect(await count(blueprint)).toBe(lines.length - 2);
    expect((await readEntity(app.request, blueprint, 'r2')).relations).toEqual({ next: 'r3', all: ['f1', 'r1'] });
    expect((await readEntity(app.request, blueprint, 'c600')).relations).toMatchObject({ next: 'c601' });
  });

  test('leaves out relations to nowhere where it is told so, and makes their targets where it is told that', async () => {
    const target = await createBlueprint(app.request, 'goal');
    const blueprint = await service({ relations: { goal: { target }, goals: { target, many: true } } });
    await createEntity(app.request, target, { identifier: 'g1' });
    const line = { identifier: 'a', relations: { goal: 'gone', goals: ['g1', 'gone'] } };
    const omitted = await importLines(app.request, `blueprint=${blueprint}&missing_targets=omit`, [line]);
    expect(counts(omitted.done)).toMatchObject({ created: 1, refused: 0 });
    expect((await readEntity(app.request, blueprint, 'a')).relations).toEqual({ goal: null, goals: ['g1'] });
    await importLines(app.request, `blueprint=${blueprint}&missing_targets=create`, [line]);
    expect((await readEntity(app.request, blueprint, 'a')).relations).toEqual({ goal: 'gone', goals: ['g1', 'gone'] });
  });

  test('goes on in another request, and only after the line that is stored', async () => {
    const blueprint = await service();
    const first = await importLines(app.request, `blueprint=${blueprint}&more=true`, [
      { identifier: 'a' },
      { identifier: 'b' },
    ]);
    expect(first.done).toBeUndefined();
    const out = await importLines(app.request, `import=${first.id}&after=1`, [{ identifier: 'c' }]);
    expect([out.status, out.done.error, out.done.details.lines]).toEqual([409, 'import_out_of_step', 2]);
    const { done } = await importLines(app.request, `import=${first.id}&after=2`, [{ identifier: 'c' }]);
    expect(counts(done)).toMatchObject({ created: 3 });
    const ended = await importLines(app.request, `import=${first.id}&after=3`, [{ identifier: 'd' }]);
    expect([ended.status, ended.done.error]).toEqual([409, 'import_ended']);
    const shown = await app.request('GET', `/v1/imports/${first.id}`);
    expect(shown.body.import).toMatchObject({ status: 'completed', lines: 3, counts: { created: 3 } });
  });

  test('stops where it is told to stop at what is refused', async () => {
    const blueprint = await service();
    const lines = [
      { identifier: 'bad', properties: { port: 'x' } },
      ...Array.from({ length: 600 }, (_n, at) => ({ identifier: `s${at}` })),
    ];
    const { done } = await importLines(app.request, `blueprint=${blueprint}&on_error=stop`, lines);
    expect(done).toMatchObject({ status: 'failed', created: 499, refused: 1 });
  });

  test('takes packed lines, and none of another type', async () => {
    const blueprint = await service();
    const packed = await app.app.http.inject({
      method: 'POST',
      url: `/v1/imports?blueprint=${blueprint}`,
      headers: {
        authorization: `Bearer ${app.organization.token}`,
        'content-type': 'application/x-ndjson',
        'content-encoding': 'gzip',
      },
      payload: gzipSync('{"identifier":"z"}\n'),
    });
    expect(packed.statusCode).toBe(200);
    expect(await count(blueprint)).toBe(1);
    const answer = await app.request('POST', `/v1/imports?blueprint=${blueprint}`, { body: { identifier: 'y' } });
    expect([answer.status, answer.body.error]).toEqual([415, 'unsupported_media_type']);
  });

  test('writes with the rights of its sender, line by line', async () => {
    const blueprint = await service();
    const token = await app.organization.memberToken();
    const { done, problems } = await importLines(app.request, `blueprint=${blueprint}`, [{ identifier: 'a' }], {
      token,
    });
    expect(counts(done)).toMatchObject({ created: 0, refused: 1 });
    expect(problems).toMatchObject([{ line: 1, error: 'missing_permissions' }]);
    const other = await app.createOrganization();
    const foreign = await importLines(other.request, `blueprint=${blueprint}`, [{ identifier: 'a' }]);
    expect([foreign.status, foreign.done.error]).toEqual([404, 'not_found']);
    const { id } = await importLines(app.request, `blueprint=${blueprint}&more=true`, [{ identifier: 'a' }]);
    expect((await importLines(other.request, `import=${id}&after=1`, [])).status).toBe(404);
    expect((await importLines(app.request, `import=${id}&after=1`, [], { token })).status).toBe(404);
  });
});

describe('an import of a source', () => {
  test('does not look into lines that are as before, and counts what is missing', async () => {
    const blueprint = await service();
    const source = await fileSource();
    const lines = Array.from({ length: 700 }, (_none, at) => ({ identifier: `e${at}`, properties: { port: at } }));
    const query = `blueprint=${blueprint}&source=${source}`;
    expect(counts((await importLines(app.request, query, lines)).done)).toMatchObject({ created: 700, missing: 0 });
    const again = await importLines(app.request, query, lines);
    expect(counts(again.done)).toEqual({ created: 0, changed: 0, unchanged: 700, refused: 0, missing: 0 });
    const plan = await importLines(app.request, `${query}&dry_run=true`, lines.slice(1));
    expect(counts(plan.done)).toMatchObject({ unchanged: 699, missing: 1 });
    const fewer = await importLines(app.request, query, [...lines.slice(2), { identifier: 'new' }]);
    expect(counts(fewer.done)).toEqual({ created: 1, changed: 0, unchanged: 698, refused: 0, missing: 2 });
  });

  test('sees what somebody else wrote meanwhile', async () => {
    const blueprint = await service();
    const query = `blueprint=${blueprint}&source=${await fileSource()}`;
    const line = { identifier: 'a', properties: { tier: 'gold' } };
    await importLines(app.request, query, [line]);
    await app.request('PATCH', `/v1/blueprints/${blueprint}/entities/a`, { body: { properties: { tier: 'silver' } } });
    expect(counts((await importLines(app.request, query, [line])).done)).toMatchObject({ changed: 1 });
    await app.request('DELETE', `/v1/blueprints/${blueprint}/entities/a`);
    expect(counts((await importLines(app.request, query, [line])).done)).toMatchObject({ created: 1 });
  });

  test('the first of two lines with one name counts', async () => {
    const blueprint = await service();
    const query = `blueprint=${blueprint}&source=${await fileSource()}`;
    const { done, problems } = await importLines(app.request, query, [
      { identifier: 'a', title: 'First' },
      { identifier: 'a', title: 'First' },
      { identifier: 'a', title: 'Second' },
    ]);
    expect(counts(done)).toMatchObject({ created: 1, unchanged: 1, refused: 1 });
    expect(problems).toMatchObject([{ line: 3, error: 'defined_twice' }]);
    expect((await readEntity(app.request, blueprint, 'a')).title).toBe('First');
  });

  test('is taken back: created entities go, changed ones are as before, what others wrote since stays', async () => {
    const blueprint = await service({ relations: {} });
    await app.request('PATCH', `/v1/blueprints/${blueprint}`, {
      body: { relations: { up: { target: blueprint, required: false } } },
    });
    const before = await createEntity(app.request, blueprint, {
      identifier: 'old',
      title: 'Old',
      properties: { port: 1 },
    });
    const query = `blueprint=${blueprint}&source=${await fileSource()}`;
    const { id } = await importLines(app.request, query, [
      { identifier: 'old', title: 'New', properties: { tier: 'gold' }, relations: { up: 'made' } },
      { identifier: 'made' },
      { identifier: 'touched' },
    ]);
    await app.request('PATCH', `/v1/blueprints/${blueprint}/entities/touched`, { body: { title: 'Mine' } });
    const undone = await app.request('POST', `/v1/imports/${id}/undo`);
    expect(undone.body).toMatchObject({ deleted: 1, restored: 1, left: 1, import: { status: 'undone' } });
    const after = await readEntity(app.request, blueprint, 'old');
    expect([after.title, after.properties, after.relations]).toEqual([
      before.title,
      before.properties,
      before.relations,
    ]);
    expect(await count(blueprint)).toBe(2);
    const twice = await app.request('POST', `/v1/imports/${id}/undo`);
    expect([twice.status, twice.body.error]).toEqual([409, 'not_undoable']);
  });

  test('what is missing is deleted or kept as its owner decides, on the list that was seen', async () => {
    const blueprint = await service();
    const source = await fileSource();
    const query = `blueprint=${blueprint}&source=${source}`;
    const lines = ['a', 'b', 'c', 'd'].map((identifier) => ({ identifier }));
    await importLines(app.request, query, lines);
    await app.request('PATCH', `/v1/blueprints/${blueprint}/entities/c`, { body: { title: 'Mine' } });
    await importLines(app.request, query, lines.slice(0, 1));
    const listed = await app.request('GET', `/v1/sources/${source}/missing`);
    expect(listed.body.missing.map(({ identifier, deletes }: never) => [identifier, deletes])).toEqual([
      ['b', true],
      ['c', false],
      ['d', true],
    ]);
    const path = `/v1/sources/${source}/missing`;
    const stale = await app.request('POST', path, { body: { decision: 'delete', total: 2 } });
    expect([stale.status, stale.body.error]).toEqual([409, 'stale_version']);
    const decided = await app.request('POST', path, { body: { decision: 'delete', total: 3 } });
    expect(decided.body).toMatchObject({ deleted: 2, left: 1 });
    expect(await count(blueprint)).toBe(2);
    expect((await app.request('GET', path)).body.total).toBe(0);
  });
});
