import type { EntityRecord } from '@portolan/contract/transfer-file';
import { expect, test } from 'vitest';
import { orderEntities, type Relations } from './order-entities.ts';

const relations: Relations = new Map([
  ['service', { domain: relation('domain', true), dependsOn: relation('service', false) }],
  ['domain', { parent: relation('domain', false), lead: relation('service', false) }],
]);

function relation(target: string, required: boolean) {
  return { target, required, many: false };
}

function entity(blueprint: string, identifier: string, body: object = {}): EntityRecord {
  return { line: 0, blueprint, identifier, body: { identifier, ...body } };
}

const names = (records: readonly EntityRecord[]) => records.map(({ identifier }) => identifier);
function ordered(entities: readonly EntityRecord[], by?: Parameters<typeof orderEntities>[2]) {
  const { waves, knot } = orderEntities(entities, relations, by);
  return { waves: waves.map(names), knot: names(knot) };
}

test('what is pointed at comes first, across blueprints and within', () => {
  const entities = [
    entity('service', 'cart', { relations: { domain: 'shop', dependsOn: ['stock'] } }),
    entity('service', 'stock', { relations: { domain: 'shop' } }),
    entity('domain', 'shop', { relations: { parent: 'root' } }),
    entity('domain', 'root'),
  ];
  expect(ordered(entities)).toEqual({ waves: [['root'], ['shop'], ['stock'], ['cart']], knot: [] });
});

test('what is not in the file, points at itself or is no relation holds nothing up', () => {
  const entities = [
    entity('service', 'a', { relations: { domain: 'elsewhere', dependsOn: ['a'], unknown: 'b' } }),
    entity('other', 'b', { relations: { domain: 'a' } }),
  ];
  expect(ordered(entities)).toEqual({ waves: [['a', 'b']], knot: [] });
});

test('teams come before what they own, by identifier or title', () => {
  const entities = [
    entity('domain', 'a', { team: ['platform'] }),
    entity('domain', 'b', { team: 'The Platform' }),
    entity('_team', 'platform', { title: 'The Platform' }),
  ];
  expect(ordered(entities)).toEqual({ waves: [['platform'], ['a', 'b']], knot: [] });
});

test('a circle and what points at it is a knot, which required relations alone may order', () => {
  const entities = [
    entity('domain', 'shop', { relations: { lead: 'cart' } }),
    entity('service', 'cart', { relations: { domain: 'shop' } }),
    entity('service', 'stock', { relations: { domain: 'shop' } }),
    entity('domain', 'free'),
  ];
  expect(ordered(entities)).toEqual({ waves: [['free']], knot: ['shop', 'cart', 'stock'] });
  expect(ordered(entities, 'required relations')).toEqual({
    waves: [
      ['shop', 'free'],
      ['cart', 'stock'],
    ],
    knot: [],
  });
});
