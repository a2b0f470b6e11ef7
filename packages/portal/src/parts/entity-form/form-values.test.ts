import { expect, test } from 'vitest';
import type { Field } from '../entities/fields.ts';
import { findProblems, issuesByField, toEntityParts, toFormValues, Unreadable } from './form-values.ts';

const property = (key: string, shape: Field['shape'] = { type: 'string' }, isRequired = false): Field => ({
  key,
  title: key,
  source: 'property',
  shape,
  isRequired,
});
const fields: readonly Field[] = [
  { key: '$title', title: 'Title', source: 'meta', shape: { type: 'string' }, isRequired: false },
  { key: '$team', title: 'Owner', source: 'meta', shape: { type: 'array' }, isRequired: false },
  property('name', { type: 'string' }, true),
  property('hosts', { type: 'array', default: ['a'] }),
  property('a/b'),
  property('config', { type: 'object' }),
  {
    key: 'name',
    title: 'Name of the other',
    source: 'relation',
    shape: { type: 'string' },
    isRequired: false,
    target: 'x',
  },
  { key: 'sum', title: 'Sum', source: 'calculation', shape: { type: 'number' }, isRequired: false },
];

test('a new entity begins with the defaults and sends what is filled in', () => {
  const values = toFormValues(undefined, fields);
  expect(values['hosts']).toEqual(['a']);
  expect(
    toEntityParts(
      { ...values, name: 'x', config: '' },
      fields.filter(({ source }) => source !== 'relation'),
    ),
  ).toEqual({ properties: { name: 'x', hosts: ['a'] } });
});

test('a change sends what differs alone: null clears, no owner is an empty list, and the order of keys is no difference', () => {
  const before = { $title: 'A', $team: ['t'], hosts: ['a'], config: { a: 1, b: 2 } };
  expect(toEntityParts({ $title: 'A', $team: [], hosts: '', config: { b: 2, a: 1 } }, fields, before)).toEqual({
    team: [],
    properties: { hosts: null },
  });
});

test('issues of the server stand at their fields, with the place inside; the rest over the form', () => {
  const { byField, others } = issuesByField(
    [
      { path: '/properties/hosts/1', message: 'must be an ipv4' },
      { path: '/properties/hosts/2', message: 'must be an ipv4' },
      { path: '/properties/a~1b', message: 'is too long' },
      { path: '/title', message: 'is too long' },
      { path: '/identifier', message: 'is taken' },
      { path: '/properties/gone', message: 'is not known' },
    ],
    fields,
  );
  expect(byField).toEqual({
    hosts: 'item 2: must be an ipv4; item 3: must be an ipv4',
    'a/b': 'is too long',
    $title: 'is too long',
    $identifier: 'is taken',
  });
  expect(others).toEqual([{ path: '/properties/gone', message: 'is not known' }]);
});

test('what is missing, or not JSON yet, is told before the server is asked', () => {
  expect(
    findProblems(
      { name: '', config: new Unreadable('{') },
      fields.filter(({ source }) => source === 'property'),
    ),
  ).toEqual({ name: 'is required', config: 'is not JSON yet' });
  expect(
    findProblems(
      { name: 'x', config: {} },
      fields.filter(({ source }) => source === 'property'),
    ),
  ).toEqual({});
});
