import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createTestApp, type TestApp } from '../../test/build-test-app.ts';
import type { Entity } from '../../test/catalog-fixtures.ts';
import { readinessLevels } from '../../test/demo/golden-answers.ts';
import { demoFolder } from '../../test/demo/organization.ts';
import { systemActor } from '../platform/actor.ts';
import { loadDemo } from './load-demo.ts';

let app: TestApp;
beforeAll(async () => {
  app = await createTestApp();
  const actor = systemActor(app.organization.id);
  await app.app.unitOfWork(actor, (work) =>
    loadDemo(app.app.loading, work, { folder: demoFolder, publicUrl: 'http://localhost:3000' }),
  );
  // what was too much for the loading transaction comes with its jobs
  await app.app.jobs.drain();
});
afterAll(() => app.close());

type Scored = Entity & {
  scorecards?: Record<string, { level: string; rules: { identifier: string; status: string }[] }>;
};
const scored = async (blueprint: string, scorecard: string): Promise<Record<string, string | undefined>> => {
  const { entities } = (await app.request('GET', `/v1/blueprints/${blueprint}/entities`)).body;
  return Object.fromEntries(
    (entities as Scored[]).map((entity) => [entity.identifier, entity.scorecards?.[scorecard]?.level]),
  );
};

describe('the scorecards of the demo', () => {
  test('put the production services where the golden answers see them', async () => {
    const levels = await scored('service', 'production_readiness');
    expect(Object.fromEntries(Object.entries(levels).filter(([, level]) => level !== undefined))).toEqual(
      readinessLevels,
    );
    expect(Object.keys(levels)).toHaveLength(18);
  });

  test('leave out the group that the filter leaves out', async () => {
    const levels = await scored('domain', 'delivery_health');
    expect(levels['company-services']).toBeUndefined();
    expect(Object.values(levels).filter((level) => level !== undefined)).toHaveLength(6);
  });

  test('use levels of their own where they are named', async () => {
    const levels = await scored('service', 'security_posture');
    expect(new Set(Object.values(levels))).toEqual(new Set(['Exposed', 'Hardened', 'Fortified']));
    expect(levels['edi-bridge']).toBe('Exposed');
  });
});
