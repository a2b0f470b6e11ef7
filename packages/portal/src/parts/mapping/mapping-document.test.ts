import { expect, test } from 'vitest';
import { readConfig, readWebhookMappings } from './mapping-document.ts';

const paths = ({ problems }: { problems: readonly { path: readonly unknown[] }[] }) =>
  problems.map(({ path }) => path.join('.'));

test('what is no mapping says where, and the others are tried all the same', () => {
  const read = readWebhookMappings([
    { blueprint: 'service', entity: { identifier: '.body.id' } },
    { blueprint: 'service' },
    { entity: {} },
    { blueprint: 'x', filter: 1, entity: { identifier: '', properties: [] } },
    7,
  ]);
  expect(read.parts.map(({ title }) => title)).toEqual(['1. service']);
  expect(paths(read)).toEqual([
    '1.entity',
    '2.blueprint',
    '3.filter',
    '3.entity.identifier',
    '3.entity.properties',
    '4',
  ]);
  expect(paths(readWebhookMappings({}))).toEqual(['']);
});

test('of a configuration the resources of one kind are tried, each mapping for itself', () => {
  const mappings = [
    { identifier: '.a', blueprint: '"x"' },
    { identifier: '.b', blueprint: '"x"' },
  ];
  const config = {
    resources: [
      { kind: 'repo', selector: { query: 'true' }, port: { entity: { mappings: mappings[0] } } },
      { kind: 'repo', port: { itemsToParse: '.list', entity: { mappings } } },
      { kind: 'other', port: { entity: { mappings: mappings[0] } } },
    ],
  };
  const { parts, problems } = readConfig(config, 'repo');
  expect(problems).toEqual([]);
  expect(parts.map(({ title, answer }) => [title, answer])).toEqual([
    ['1. repo', 0],
    ['2. repo, mapping 1', 0],
    ['2. repo, mapping 2', 1],
  ]);
  expect(parts[2]!.placeOf(['entity', 'identifier']).join('.')).toBe('resources.1.port.entity.mappings.1.identifier');
  expect(paths(readConfig({ resources: [{ kind: 'x', port: {} }, {}] }, 'x'))).toEqual([
    'resources.0.port',
    'resources.1',
  ]);
});
