import { expect, test } from 'vitest';
import { AppError } from '../../../platform/errors.ts';
import { shareTime } from '../../../platform/evaluation-time.ts';
import { read } from './form.ts';

const now = new Date('2026-05-01T10:00:00Z');

test('the expressions of one form share a time, and end in a refusal instead of being skipped', () => {
  const time = shareTime(now, 300);
  const readUntilRefused = () => {
    for (let count = 0; count < 10_000; count += 1) {
      const context = { form: { count }, entity: undefined, user: {} };
      expect(read('until(false; .)', context, time)).toBe(undefined);
    }
  };
  expect(readUntilRefused).toThrow(AppError);
  const context = { form: {}, entity: undefined, user: {} };
  expect(() => read('true', context, time)).toThrow(/take longer than 300 ms together/);
  expect(read('true', context, shareTime(now, 300))).toBe(true);
});
