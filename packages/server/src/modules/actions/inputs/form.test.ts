import { expect, test } from 'vitest';
import { AppError } from '../../../platform/errors.ts';
import { read } from './form.ts';

const now = new Date('2026-05-01T10:00:00Z');

test('the expressions of one form share a time, and end in a refusal instead of being skipped', () => {
  const context = { form: {}, entity: undefined, user: {} };
  const readUntilRefused = () => {
    for (let count = 0; count < 10_000; count += 1) expect(read('until(false; .)', context, now)).toBe(undefined);
  };
  expect(readUntilRefused).toThrow(AppError);
  expect(() => read('true', context, now)).toThrow(/take longer than 1000 ms together/);
  expect(read('true', { ...context }, now)).toBe(true);
});
