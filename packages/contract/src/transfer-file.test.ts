import { describe, expect, test } from 'vitest';
import { blueprintLine, entityLine, portalLine, readTransfer, TransferVersionError } from './transfer-file.ts';

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
    scorecards: [],
    actions: [],
    folders: [],
    pages: [],
    workflows: [],
    problems: [],
  });
});

test('the header and empty lines are passed over, and lines are counted', () => {
  const text = '{"portolan":{"format":"catalog","version":1}}\r\n\n{"entity":{"blueprint":"a","identifier":"b"}}\n';
  expect(readTransfer(text).entities.map(({ line }) => line)).toEqual([3]);
});

test('a file of another version is refused', () => {
  expect(() => read({ portolan: { format: 'catalog', version: 2 } })).toThrow(TransferVersionError);
});

const unknownKind = 'names no blueprint, entity, scorecard, action, folder, page or workflow';

describe('a record that cannot be used is a problem on its line', () => {
  test.each([
    ['nonsense', 'unreadable_record', unknownKind],
    ['[1]', 'unreadable_record', unknownKind],
    ['{"widget":{}}', 'unreadable_record', unknownKind],
    ['{"page":{}}', 'unreadable_record', 'the page has no identifier'],
    ['{"scorecard":{"identifier":"a"}}', 'unreadable_record', 'the scorecard does not name its blueprint'],
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

describe('what people do and look at', () => {
  const trigger = { type: 'self-service', operation: 'CREATE', userInputs: { properties: {} } };
  const action = { identifier: 'restart', trigger, invocationMethod: { type: 'WEBHOOK', url: 'https://a.example' } };
  const stamps = { id: 'x', createdAt: 'x', createdBy: 'x', updatedAt: 'x', updatedBy: 'x' };

  test('is read with who may use it, without what the platform adds', () => {
    const folder = { identifier: 'teams', title: 'Teams' };
    const page = { identifier: 'home', type: 'dashboard', widgets: [] };
    const rule = {
      identifier: 'owned',
      title: 'Owned',
      level: 'Gold',
      query: { combinator: 'and', conditions: [{ property: '$team', operator: 'isNotEmpty' }] },
    };
    const scorecard = { identifier: 'ready', title: 'Ready', rules: [rule] };
    const file = readTransfer(
      portalLine('scorecard', { blueprint: 'service', ...scorecard, ...stamps }) +
        portalLine('action', { ...action, ...stamps }, { execute: { roles: ['Admin'] } }) +
        portalLine('folder', { ...folder, sidebarType: 'folder' }) +
        portalLine('page', { ...page, ...stamps }, { read: { teams: ['sre'] } }),
    );
    expect(file).toMatchObject({
      scorecards: [{ line: 1, blueprint: 'service', identifier: 'ready', body: scorecard }],
      actions: [{ line: 2, identifier: 'restart', body: action, permissions: { execute: { roles: ['Admin'] } } }],
      folders: [{ line: 3, identifier: 'teams', body: folder }],
      pages: [{ line: 4, identifier: 'home', body: page, permissions: { read: { teams: ['sre'] } } }],
      problems: [],
    });
    for (const { body } of [...file.scorecards, ...file.actions, ...file.pages]) {
      for (const name of Object.keys(stamps)) expect(body).not.toHaveProperty(name);
    }
  });

  test('with permissions of a wrong form is a problem', () => {
    expect(read({ action, permissions: { execute: { roles: 'Admin' } } }).problems).toEqual([
      {
        line: 1,
        identifier: 'restart',
        error: 'invalid_request',
        message: expect.stringMatching(/^\/permissions\/execute\/roles: /),
      },
    ]);
  });
});

test('values are revived before they are checked', () => {
  const text = JSON.stringify({ entity: { blueprint: 'a', identifier: 'b', title: { $upper: 'c' } } });
  const revive = (_key: string, value: unknown) =>
    typeof value === 'object' && value !== null && '$upper' in value ? String(value.$upper).toUpperCase() : value;
  expect(readTransfer(text, revive).entities[0]?.body).toEqual({ identifier: 'b', title: 'C' });
});
