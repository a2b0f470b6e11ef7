import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestApp, type TestApp } from '../../../test/build-test-app.ts';
import { createBlueprint, createEntity, entityPath, readEntity } from '../../../test/catalog-fixtures.ts';
import { differencesIn, takeSnapshot } from '../../../test/naive-derivation.ts';

/** What the default blueprints of widely used integrations ask for, by feature, and what must never fail a write. */
let test: TestApp;
beforeAll(async () => {
  test = await createTestApp();
});
afterAll(() => test.close());

const string = { type: 'string' };
const calculated = (type: string, calculation: string) => ({ title: 'C', type, calculation });

describe('features of the default blueprints', () => {
  it('mirrors over two relations of different blueprints, and a mirror of a mirror', async () => {
    const { request } = test;
    const cluster = await createBlueprint(request, 'cluster', { properties: { region: string } });
    const namespace = await createBlueprint(request, 'namespace', { relations: { Cluster: { target: cluster } } });
    const workload = await createBlueprint(request, 'workload', {
      relations: { Namespace: { target: namespace } },
      mirrorProperties: { Cluster: { path: 'Namespace.Cluster.$title' }, region: { path: 'Namespace.Cluster.region' } },
    });
    const pod = await createBlueprint(request, 'pod', {
      relations: { Workloads: { target: workload, many: true } },
      mirrorProperties: { regions: { path: 'Workloads.region' }, none: { path: 'Workloads.Namespace.Cluster.gone' } },
    });
    await createEntity(request, cluster, { identifier: 'eu', title: 'Europe', properties: { region: 'west' } });
    await createEntity(request, namespace, { identifier: 'default', relations: { Cluster: 'eu' } });
    await createEntity(request, workload, { identifier: 'web', relations: { Namespace: 'default' } });
    await createEntity(request, workload, { identifier: 'idle' });
    await createEntity(request, pod, { identifier: 'p', relations: { Workloads: ['idle', 'web'] } });
    expect((await readEntity(request, workload, 'web')).properties).toEqual({ Cluster: 'Europe', region: 'west' });
    expect((await readEntity(request, workload, 'idle')).properties).toEqual({ Cluster: null, region: null });
    expect((await readEntity(request, pod, 'p')).properties).toEqual({ regions: ['west'], none: null });
    await request('PATCH', entityPath(cluster, 'eu'), { body: { properties: { region: 'north' } } });
    expect((await readEntity(request, pod, 'p')).properties['regions']).toEqual(['north']);
  });

  it('calculates with test, if, single quotes, keys with hyphens and a broken address', async () => {
    const blueprint = await createBlueprint(test.request, 'repository', {
      properties: { url: string, 'build-id': string, language: string },
      calculationProperties: {
        isCloud: calculated('boolean', '.properties.url | test("github\\\\.com")'),
        link: calculated(
          'string',
          'if .properties["build-id"] then "https://ci/" + .properties["build-id"] else null end',
        ),
        quoted: calculated('boolean', ".properties.language == 'go' "),
        slug: calculated('string', '.title | gsub("(?<a>[^a-z]+)"; "-")'),
      },
    });
    const properties = { url: 'https://github.com/x', 'build-id': '7', language: 'go' };
    const { properties: found } = await createEntity(test.request, blueprint, {
      identifier: 'x',
      title: 'a b',
      properties,
    });
    expect(found).toMatchObject({ isCloud: true, link: 'https://ci/7', quoted: true, slug: 'a-b' });
    const bare = await createEntity(test.request, blueprint, { identifier: 'y' });
    expect(bare.properties).toMatchObject({ isCloud: null, link: null, quoted: false, slug: null });
  });

  it('aggregates with a filter, over a team, and along every way', async () => {
    const { request } = test;
    const service = await createBlueprint(request, 'service', { ownership: { type: 'Direct' } });
    const alert = await createBlueprint(request, 'alert', {
      properties: { severity: string, cost: { type: 'number' } },
      relations: { service: { target: service } },
    });
    const count = { calculationBy: 'entities', func: 'count' };
    const query = { combinator: 'and', rules: [{ property: 'severity', operator: '=', value: 'high' }] };
    const body = {
      aggregationProperties: {
        high: { title: 'High', target: alert, calculationSpec: count, query },
        cost: {
          title: 'Cost',
          target: alert,
          calculationSpec: { calculationBy: 'property', func: 'sum', property: 'cost' },
        },
      },
    };
    expect((await request('PATCH', `/v1/blueprints/${service}`, { body })).status).toBe(200);
    const owned = {
      title: 'Owned',
      target: service,
      calculationSpec: count,
      pathFilter: [{ path: ['$team'], fromBlueprint: service }],
    };
    expect(
      (await request('PATCH', '/v1/blueprints/_team', { body: { aggregationProperties: { owned } } })).status,
    ).toBe(200);
    await createEntity(request, '_team', { identifier: 'core', title: 'Core' });
    await createEntity(request, service, { identifier: 's', team: ['core'] });
    await createEntity(request, alert, {
      identifier: 'a',
      properties: { severity: 'high', cost: 2 },
      relations: { service: 's' },
    });
    await createEntity(request, alert, {
      identifier: 'b',
      properties: { severity: 'low', cost: 0.5 },
      relations: { service: 's' },
    });
    expect((await readEntity(request, service, 's')).properties).toEqual({ high: 1, cost: 2.5 });
    expect((await readEntity(request, '_team', 'core')).properties['owned']).toBe(1);
    await request('DELETE', entityPath(alert, 'a'));
    expect((await readEntity(request, service, 's')).properties).toEqual({ high: 0, cost: 0.5 });
  });
});

describe('calculations that go wrong', () => {
  it('are null and do not fail the write: errors, runaways, other types, and what the database cannot hold', async () => {
    const blueprint = await createBlueprint(test.request, 'wrong', {
      calculationProperties: {
        fails: calculated('string', 'error("no")'),
        runs: calculated('number', '[limit(1e9; repeat(1))] | length'),
        ranges: calculated('number', 'reduce range(1e9) as $i (0; . + $i)'),
        type: calculated('number', '.identifier'),
        nul: calculated('string', '"a\\u0000b"'),
        endless: calculated('number', 'infinite'),
        none: calculated('string', 'empty'),
        other: calculated('number', '.properties.right'),
        right: calculated('array', '[.identifier]'),
      },
    });
    const startedAt = performance.now();
    const { properties } = await createEntity(test.request, blueprint, { identifier: 'x' });
    expect(performance.now() - startedAt).toBeLessThan(5_000);
    await test.app.jobs.drain();
    expect((await readEntity(test.request, blueprint, 'x')).properties).toMatchObject({ ...properties, right: ['x'] });
    const nothing = Object.entries((await readEntity(test.request, blueprint, 'x')).properties).filter(
      ([, value]) => value === null,
    );
    expect(nothing.map(([key]) => key).sort()).toEqual([
      'endless',
      'fails',
      'none',
      'nul',
      'other',
      'ranges',
      'runs',
      'type',
    ]);
  });

  it('are kept with a warning when they are no JQ, each with its path, and have no value', async () => {
    const calculationProperties = {
      a: calculated('string', '.x |'),
      b: calculated('string', 'nosuch(1)'),
      c: calculated('string', '.x'),
    };
    const answer = await test.request('POST', '/v1/blueprints', {
      body: { identifier: 'warned', title: 'W', schema: { properties: {} }, calculationProperties },
    });
    expect(answer.status).toBe(201);
    for (const key of ['a', 'b']) expect(String(answer.headers['warning'])).toContain(`/calculationProperties/${key}/`);
    expect(String(answer.headers['warning'])).not.toContain('/calculationProperties/c/');
    const body = { identifier: 'one', properties: {} };
    const { entity } = (await test.request('POST', '/v1/blueprints/warned/entities', { body })).body;
    expect(entity.properties).toMatchObject({ a: null, b: null });
  });
});

describe('mirrors that pass themselves', () => {
  it('read null, and what reads them goes on', async () => {
    const blueprint = await createBlueprint(test.request, 'circle', {});
    const body = {
      relations: { parent: { target: blueprint } },
      mirrorProperties: { top: { path: 'parent.top' }, name: { path: 'parent.$title' } },
      calculationProperties: { has: calculated('boolean', '.properties.top != null') },
    };
    expect((await test.request('PATCH', `/v1/blueprints/${blueprint}`, { body })).status).toBe(200);
    await createEntity(test.request, blueprint, { identifier: 'a', title: 'A' });
    const { properties } = await createEntity(test.request, blueprint, { identifier: 'b', relations: { parent: 'a' } });
    expect(properties).toEqual({ top: null, name: 'A', has: false });
  });
});

describe('aggregations over a calculation of the same blueprint', () => {
  const aggregated = async (calculation: string) => {
    const { id, request } = await test.createOrganization();
    const blueprint = await createBlueprint(request, 'round', { properties: { n: { type: 'number' } } });
    const a0 = {
      title: 'A',
      target: blueprint,
      calculationSpec: { calculationBy: 'entities', func: 'count' },
      query: { combinator: 'and', rules: [{ property: 'c', operator: '>', value: 1 }] },
      pathFilter: [{ path: ['next'] }],
    };
    for (const body of [
      { relations: { next: { target: blueprint } }, calculationProperties: { c: calculated('number', calculation) } },
      { aggregationProperties: { a0 } },
    ]) {
      expect((await request('PATCH', `/v1/blueprints/${blueprint}`, { body })).status).toBe(200);
    }
    await createEntity(request, blueprint, { identifier: 'a', properties: { n: 4 } });
    await createEntity(request, blueprint, { identifier: 'b', relations: { next: 'a' } });
    expect(differencesIn(await takeSnapshot(test.database, id))).toEqual([]);
    const examined = await test.operator('POST', `/v1/operator/organizations/${id}/doctor/derived`);
    expect(examined.body).toMatchObject({ differing: 0, pending: 0 });
    return (await readEntity(request, blueprint, 'b')).properties;
  };

  it('have a value where it sees only which keys there are, which no value changes', async () => {
    // `n` and `a0` are the keys, whatever is counted
    expect(await aggregated('.properties | keys | length | tostring | tonumber')).toEqual({ n: null, c: 2, a0: 1 });
  });

  it('read null where it reads what they find', async () => {
    const own = '(.properties.n // 0) + (.properties.a0 // 0)';
    expect(await aggregated(own)).toEqual({ n: null, c: 0, a0: null });
  });
});

describe('the doctor', () => {
  it('finds nothing where nothing is wrong, and names what is', async () => {
    const { id, request } = await test.createOrganization();
    const blueprint = await createBlueprint(request, 'sick', {
      calculationProperties: { c: calculated('string', '.identifier') },
    });
    await createEntity(request, blueprint, { identifier: 'x' });
    const path = `/v1/operator/organizations/${id}/doctor/derived`;
    expect((await test.operator('POST', path)).body).toMatchObject({ differing: 0, pending: 0 });
    const { default: sql } = await import('sql-template-tag');
    await test.database.transaction((tx) =>
      tx.execute(sql`update entities set derived = '{"c": "y"}' where org_id = ${id} and identifier = 'x'`),
    );
    expect((await test.operator('POST', path)).body).toMatchObject({
      differing: 1,
      differences: [{ blueprint, entity: 'x', property: 'c', stored: 'y', computed: 'x' }],
    });
    expect((await test.operator('POST', '/v1/operator/organizations/nobody/doctor/derived')).status).toBe(404);
    expect((await request('POST', path)).status).toBe(401);
  });
});
