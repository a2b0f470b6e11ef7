import { expect, test } from 'vitest';
import { readAskedCursor, writeAskedCursor } from './asked-cursor.ts';

const cursorOf = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');

test('a cursor reads back as what it was written from', () => {
  const position = { askedAt: new Date('2026-03-02T09:00:00.123Z'), id: 'inv/1' };
  expect(readAskedCursor(writeAskedCursor(position))).toEqual(position);
});

test.each([
  ['no JSON', 'x'],
  ['no list', cursorOf({ at: 1 })],
  ['null', cursorOf(null)],
  ['no number', cursorOf(['1', 'a'])],
  ['a moment that no date has', cursorOf([9e15, 'a'])],
  ['no identifier', cursorOf([1, 2])],
])('%s is no cursor', (_, cursor) => {
  expect(readAskedCursor(cursor)).toBeUndefined();
});
