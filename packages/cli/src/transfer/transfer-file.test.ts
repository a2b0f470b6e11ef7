import { describe, expect, test } from 'vitest';
import { blueprintLine, entityLine, readTransfer } from './transfer-file.ts';

const read = (...records: unknown[]) => readTransfer(records.map((record) => JSON.stringify(record)).join('\n'));

test('what is written is read again, without what the platform adds', () => {
  const stamps = { createdAt: 'x', createdBy: 'x', updatedAt: 'x', updatedBy: 'x' };
  const text =
    blueprintLine({ identifier: 'service', title: 'Service', ...stamps }) +
    entityLine('service', { identifier: 'cart', blueprint: 'service', properties: { a: null }, ...stamps });
  expect(text).toBe(
    '{"blueprint":{"identifier":"service","title":"Service"}}\n' +
      '{"entity":{"blueprint":"service","identifier":"cart","properties":{"a":null}}}\n',
  );
  expect(readTransfer(text)).toEqual({
    blueprints: [{ line: 1, identifier: 'service', body: { identifier: 'service', title: 'Service' } }],
    entities: [
      { line: 2, blueprint: 'service', identifier: 'cart', body: { identifier: 'cart', properties: { a: null } } },
    ],
    problems: [],
  });
});

test('the header and empty lines are passed over, and lines are counted', () => {
  const text = '{"portolan":{"format":"catalog","version":1}}\r\n\n{"entity":{"blueprint":"a","identifier":"b"}}\n';
  expect(readTransfer(text).entities.map(({ line }) => line)).toEqual([3]);
});

test('a file of another version is refused', () => {
  expect(() => read({ portolan: { format: 'catalog', version: 2 } })).toThrow(
    expect.objectContaining({ exitCode: 2, code: 'usage' }),
  );
});

describe('a record that cannot be used is a problem on its line', () => {
  test.each([
    ['nonsense', 'unreadable_record', 'is not {"blueprint": …} or {"entity": …}'],
    ['[1]', 'unreadable_record', 'is not {"blueprint": …} or {"entity": …}'],
    ['{"page":{}}', 'unreadable_record', 'is not {"blueprint": …} or {"entity": …}'],
    ['{"blueprint":{}}', 'unreadable_record', 'the blueprint has no identifier'],
    ['{"entity":{"identifier":"a"}}', 'unreadable_record', 'the entity does not name its blueprint'],
    ['{"entity":{"blueprint":"a","title":"b"}}', 'unreadable_record', 'the entity has no identifier'],
  ])('%s', (line, error, message) => {
    expect(readTransfer(`\n${line}`).problems).toEqual([expect.objectContaining({ line: 2, error, message })]);
  });

  test('with a wrong form', () => {
    const { entities, problems } = read({ entity: { blueprint: 'a', identifier: 'b', title: 7 } });
    expect([entities, problems[0]?.message.startsWith('/title: ')]).toEqual([[], true]);
  });

  test('that comes twice', () => {
    const entity = { entity: { blueprint: 'a', identifier: 'b' } };
    expect(read(entity, { entity: { blueprint: 'c', identifier: 'b' } }, entity).problems).toEqual([
      { line: 3, blueprint: 'a', identifier: 'b', error: 'duplicate_record', message: 'is also on line 1' },
    ]);
  });
});
