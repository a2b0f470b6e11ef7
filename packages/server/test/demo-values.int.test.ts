import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { loadDemo } from '../src/demo/load-demo.ts';
import { systemActor } from '../src/platform/actor.ts';
import { createTestApp, type TestApp, type TestOrganization } from './build-test-app.ts';
import { readEntity } from './catalog-fixtures.ts';
import { demoFolder, demoOrganization } from './demo/organization.ts';

/** The values the demo's golden answers work out from its data (demo/golden.test.ts), as the API answers them. */
let test: TestApp;
let organization: TestOrganization;

beforeAll(async () => {
  test = await createTestApp();
  test.clock.set(new Date('2026-03-02T09:00:00Z'));
  organization = await test.createOrganization();
  const { loading, unitOfWork } = test.app;
  await unitOfWork(systemActor(organization.id), (work) =>
    loadDemo(loading, work, { folder: demoFolder, publicUrl: 'http://localhost:3000' }),
  );
  await test.app.jobs.drain();
});
afterAll(() => test.close());

const service = async (identifier: string) =>
  (await readEntity(organization.request, 'service', identifier)).properties;
const domain = async (identifier: string) => (await readEntity(organization.request, 'domain', identifier)).properties;

describe('derived values of the demo', () => {
  it('mirrors over one relation, two, and many', async () => {
    const demo = demoOrganization(new Date('2026-03-02T09:00:00Z'));
    const portal = await service('customer-portal');
    const names = portal['dependencyTitles'] as string[];
    expect(names.length).toBeGreaterThan(2);
    expect(portal['domainTitle']).toEqual(expect.any(String));
    expect(portal['groupTitle']).toEqual(expect.any(String));
    expect((await service('identity'))['dependencyTitles']).toEqual([]);
    expect(demo.entities.length).toBeGreaterThan(100);
  });

  it('averages count a started week as a whole one', async () => {
    expect((await service('shipment-tracking'))['deploysPerWeek']).toBeCloseTo(5 / 6, 10);
    expect((await service('geo.tiles'))['deploysPerWeek']).toBe(1);
  });

  it('takes the worst over two relations', async () => {
    const found = await Promise.all(['identity', 'route-planner', 'edi-bridge', 'invoicing'].map(service));
    expect(found.map((values) => values['maxCvss'])).toEqual([9.1, 9.1, 10, 7.5]);
  });

  it('calculates the risk from two aggregations', async () => {
    const answer = await organization.request('POST', '/v1/blueprints/service/entities/search', {
      body: { query: { combinator: 'and', rules: [{ property: 'riskBand', operator: '=', value: 'High' }] } },
    });
    const names = (answer.body.entities as { identifier: string }[]).map(({ identifier }) => identifier);
    expect(names.sort()).toEqual(['route-planner', 'shipment-tracking']);
  });

  it('adds up what the cloud costs over all domains', async () => {
    const answer = await organization.request('POST', '/v1/blueprints/domain/entities/search', { body: {} });
    const costs = (answer.body.entities as { properties: { monthlyCost: number; services: number } }[]).map(
      ({ properties }) => properties,
    );
    const ofServices = demoOrganization(new Date('2026-03-02T09:00:00Z'))
      .entities.filter(({ blueprint, relations }) => blueprint === 'cloudResource' && relations['service'])
      .reduce((sum, { properties }) => sum + Number(properties['monthlyCost']), 0);
    expect(costs.reduce((sum, { monthlyCost }) => sum + monthlyCost, 0)).toBe(ofServices);
    expect(costs.reduce((sum, { services }) => sum + services, 0)).toBe(18);
    expect((await domain('freight-operations'))['services']).toBe(0);
  });

  it('has no value where an expression fails, and a value of every other type', async () => {
    const values = await service('shipment-tracking');
    expect(values['slaNumber']).toBeNull();
    expect(values['isCore']).toEqual(expect.any(Boolean));
    expect(values['mergedConfig']).toMatchObject({ http: expect.any(Object) });
    expect(values['tagCount']).toEqual(expect.any(Number));
    expect(values['repoName']).toEqual(expect.any(String));
  });

  it('inherits owners over one relation', async () => {
    const deployments = await organization.request('POST', '/v1/blueprints/deployment/entities/search', { body: {} });
    for (const { relations, team } of deployments.body.entities.slice(0, 10)) {
      expect(team).toEqual((await readEntity(organization.request, 'service', relations.service)).team);
    }
  });
});

describe('line charts of the demo', () => {
  const numbers = async (path: string, body: object): Promise<number[]> => {
    const { body: answer } = await organization.request('POST', `/v1/entities/${path}`, { body });
    return answer.result.series[0].values.filter((value: unknown) => typeof value === 'number');
  };

  it('show the median lead time of deployments by quarter', async () => {
    const leadTimes = await numbers('aggregate-over-time', {
      aggregationType: 'aggregatePropertiesValues',
      blueprint: 'deployment',
      func: 'median',
      properties: ['leadHours'],
      measureTimeBy: 'deployedAt',
      timeInterval: 'quarter',
      timeRange: { preset: 'last12Months' },
    });
    expect(leadTimes.length).toBeGreaterThan(1);
  });

  it('show the pace of a service as it is now', async () => {
    const paces = await numbers('properties-history', {
      blueprintIdentifier: 'service',
      entityIdentifier: 'shipment-tracking',
      propertyNames: ['deploysPerWeek'],
      timeInterval: 'isoWeek',
      timeRange: { preset: 'last3Months', timeZone: 'UTC' },
    });
    expect(paces.at(-1)).toBeCloseTo(5 / 6, 10);
  });
});
