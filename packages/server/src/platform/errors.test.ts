import { describe, expect, test } from 'vitest';
import { DatabaseError, UnknownOutcomeError } from './db/database-error.ts';
import { passingReason } from './db/passing-failure.ts';
import { AppError, asAppError } from './errors.ts';

/** Written from PostgreSQL's appendix A, not from the source: which failures of the database pass. */
const passes: Readonly<Record<string, string>> = {
  '08000': 'away',
  '08001': 'away',
  '08003': 'away',
  '08004': 'away',
  '08006': 'away',
  '08007': 'away',
  '57P01': 'away',
  '57P02': 'away',
  '57P03': 'away',
  '57P04': 'away',
  '57P05': 'away',
  '53000': 'full',
  '53100': 'full',
  '53200': 'full',
  '53300': 'full',
  '53400': 'full',
  '25006': 'read-only',
  '55P03': 'contended',
  '40001': 'contended',
  '40P01': 'contended',
  '57014': 'slow',
  '25P03': 'slow',
  '25P04': 'slow',
};
const stays = [
  '22P02',
  '23505',
  '23503',
  '42P01',
  '42601',
  '25P02',
  '54001',
  '55000',
  '58030',
  '57000',
  'XX000',
  'XX001',
];

describe('a failure of the database that passes is a refusal', () => {
  test.each(Object.entries(passes))('%s: %s', (code, reason) => {
    const error = new DatabaseError('words of the server', code);
    expect(passingReason(error)).toBe(reason);
    const told = asAppError(error);
    expect([told.code, told.status, told.isRetryable]).toEqual(['service_unavailable', 503, true]);
    expect(told.message).not.toContain('words of the server');
    expect(told.cause).toBe(error);
  });
});

test.each(stays)('%s is a defect', (code) => {
  const error = new DatabaseError('words of the server', code);
  expect(passingReason(error)).toBeUndefined();
  expect(asAppError(error)).toMatchObject({ code: 'internal_error', message: 'Something failed inside', cause: error });
});

test('a change whose outcome nobody knows says so', () => {
  const error = new UnknownOutcomeError(new DatabaseError('Connection terminated', '08006'));
  expect(asAppError(error)).toMatchObject({ code: 'service_unavailable', details: { outcome: 'unknown' } });
});

test('a refusal stays what it is, and anything else is bland', () => {
  const refusal = new AppError('not_found', 'gone');
  expect(asAppError(refusal)).toBe(refusal);
  expect(asAppError('oh', 'Bland')).toMatchObject({ code: 'internal_error', message: 'Bland' });
});
