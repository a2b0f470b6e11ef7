import type { Blueprint } from '@portolan/contract/blueprints';
import type { BlueprintRecord } from '@portolan/contract/transfer-file';
import { expect, test } from 'vitest';
import { planBlueprints } from './plan-blueprints.ts';

const current = {
  identifier: 'service',
  title: 'Service',
  schema: { properties: { tier: { type: 'number' }, name: { type: 'string' } }, required: ['name'] },
  relations: { domain: { target: 'domain', required: false, many: false } },
  createdAt: '2030-01-01T00:00:00.000Z',
} as unknown as Blueprint;

function planChange(body: object): string {
  const record = { line: 3, identifier: 'service', body: { identifier: 'service', ...body } } as BlueprintRecord;
  const { create, update, unchanged, problems } = planBlueprints([record], [current]);
  expect(create).toEqual([]);
  return problems.length > 0 ? 'problem' : update.length > unchanged.length ? 'update' : 'unchanged';
}

test.each([
  [{ title: 'Service' }, 'unchanged'],
  [{ schema: { properties: { tier: { type: 'number' } } } }, 'unchanged'],
  [{ mirrorProperties: {} }, 'unchanged'],
  [{ relations: { domain: { target: 'domain', required: false, many: false } } }, 'unchanged'],
  [{ title: 'Services' }, 'update'],
  [{ schema: { properties: { tier: { type: 'number', title: 'Tier' } } } }, 'update'],
  [{ schema: { properties: {}, required: [] } }, 'update'],
  [{ relations: { other: { target: 'domain', required: false, many: false } } }, 'update'],
  [{ description: 'New' }, 'update'],
  [{ title: 7 }, 'problem'],
])('%j is: %s', (body, plannedChange) => {
  expect(planChange(body)).toBe(plannedChange);
});

test('a blueprint that is not there must be whole', () => {
  const record = (body: object) =>
    ({ line: 1, identifier: 'x', body: { identifier: 'x', ...body } }) as BlueprintRecord;
  const whole = record({ title: 'X', schema: { properties: {} } });
  expect(planBlueprints([whole], []).create).toEqual([whole]);
  expect(planBlueprints([record({ title: 'X' })], []).problems).toMatchObject([
    { line: 1, blueprint: 'x', error: 'invalid_request' },
  ]);
});
