import { expect, test } from 'vitest';
import type { Field, FieldShape, FieldSource } from '../../parts/entities/fields.ts';
import { fieldName, listFacts, lowestLevel, type Model, shownFacts } from './facts.ts';

const field = (key: string, shape: FieldShape, source: FieldSource = 'property', more: Partial<Field> = {}): Field => ({
  key,
  title: key,
  source,
  shape,
  isRequired: false,
  ...more,
});
const word = (...values: string[]): FieldShape => ({ type: 'string', enum: values });
const owner = field('$team', { type: 'array' }, 'meta');
const model = (identifier: string, properties: object, target: string, many = false): Model =>
  ({
    identifier,
    title: identifier,
    schema: { properties },
    relations: { to: { target, many, required: false } },
  }) as unknown as Model;
const sources = (fields: readonly Field[], models: readonly Model[] = []) =>
  listFacts('service', fields, models).suggested.map(({ source }) => source);

test('facts are found by rule, always in the same order', () => {
  const readiness = field('readiness', {}, 'scorecard', { levels: { Basic: 'red', Gold: 'gold' } });
  const fields = [
    owner,
    field('healthStatus', word('ok', 'bad')),
    field('onCall', { type: 'string', format: 'user' }),
    field('lifecycle', word('beta', 'production')),
    readiness,
  ];
  const models = [
    model('incident', { status: { enum: ['open', 'resolved'] } }, 'service', true),
    model('deployment', { deployedAt: { format: 'date-time' } }, 'service'),
    model('release', {}, 'other'),
  ];
  expect(sources(fields, models)).toEqual([
    '$team',
    'properties.lifecycle',
    'properties.healthStatus',
    'properties.onCall',
    'latest:deployment.to',
    'open:incident.to',
    'scorecards',
  ]);
  expect(listFacts('service', fields, models).suggested[5]?.from).toMatchObject({ kind: 'open', closed: ['resolved'] });
});

test('what has no source is left out', () => {
  expect(sources([])).toEqual([]);
  expect(sources([owner, field('onCall', { type: 'string' }), field('status', { type: 'string' })])).toEqual(['$team']);
});

test('a risk stands for health only where nothing says more', () => {
  const risk = field('risk', { type: 'string', colors: { High: 'red' } }, 'calculation');
  expect(sources([risk])).toEqual(['properties.risk']);
  expect(sources([risk, field('status', word('up', 'down'))])).toEqual(['properties.status']);
});

test('a fact without a value is not shown, but a missing owner is', () => {
  const { suggested } = listFacts('service', [owner, field('lifecycle', word('beta'))], []);
  expect(shownFacts(suggested, {}).map(({ source }) => source)).toEqual(['$team']);
  expect(shownFacts(suggested, { properties: { lifecycle: 'beta' } })).toHaveLength(2);
});

test('the lowest scorecard counts, with the rules to its next level', () => {
  const levels = { Basic: 'red', Silver: 'silver', Gold: 'gold' };
  const fields = ['a', 'b'].map((key) => field(key, {}, 'scorecard', { levels }));
  const rules = [
    { identifier: 'x', level: 'Silver', status: 'FAILURE' },
    { identifier: 'y', level: 'Silver', status: 'SUCCESS' },
    { identifier: 'z', level: 'Gold', status: 'FAILURE' },
  ];
  const entity = { scorecards: { a: { level: 'Gold' }, b: { level: 'Basic', rules } } };
  expect(lowestLevel(entity, fields)).toMatchObject({
    scorecard: { key: 'b' },
    level: 'Basic',
    next: 'Silver',
    left: 1,
  });
  expect(lowestLevel({}, fields)).toBeUndefined();
});

test('a relation and a property of one name have different names in a layout', () => {
  expect(fieldName(field('domain', {}))).toBe('properties.domain');
  expect(fieldName(field('relations.domain', {}, 'relation'))).toBe('relations.domain');
});
