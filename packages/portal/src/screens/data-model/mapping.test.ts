import { compile } from '@portolan/jq';
import { expect, test } from 'vitest';
import { changedFields, mappingProblem, mappingRows, ownershipPreset, readMapping, withRows } from './mapping.ts';

test('the preset of a relation reads that relation, whatever its key', () => {
  expect(ownershipPreset('owning_team')).toEqual({ entity: { team: '.relations.owning_team' } });
  for (const key of ['owning-team', '1st', 'a"b', '$x']) {
    const { team = '' } = ownershipPreset(key).entity;
    expect([...compile(team).run({ relations: { [key]: 'packers' } })]).toEqual(['packers']);
  }
});

test('rows and the wire shape are the same mapping', () => {
  const mapping = { blueprint: 'b', entity: { team: '.x', properties: { 'a.b': '.y' }, relations: { r: '.z' } } };
  expect(withRows(mapping, mappingRows(mapping))).toEqual(mapping);
  expect(mappingProblem({ entity: {} })).toBe('Add a field to write first.');
  expect(mappingProblem({ entity: { team: ' ' } })).toBe('team needs an expression.');
  expect(mappingProblem(mapping)).toBeUndefined();
});

test('a text that is no mapping says why', () => {
  const texts = ['{', '{}', '{"entity":{"team":1}}', '{"entity":{"properties":{"a":1}}}', '{"entity":{},"filter":2}'];
  expect(texts.map((text) => 'problem' in readMapping(text))).toEqual([true, true, true, true, true]);
});

test('only what differs is shown', () => {
  const before = { title: 'A', team: [], properties: { a: 1, b: null }, relations: {} };
  const after = { title: 'A', team: ['t'], properties: { a: 2, b: null }, relations: {} };
  expect(changedFields(before, after)).toEqual([
    { field: 'team', before: [], after: ['t'] },
    { field: 'properties.a', before: 1, after: 2 },
  ]);
});
