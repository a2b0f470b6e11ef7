import { expect, test } from 'vitest';
import { DatabaseError } from './db/database-error.ts';
import { AppError } from './errors.ts';
import { createLog } from './log.ts';

function logged(level: string, context: object): { error?: unknown; err?: unknown } {
  const lines: string[] = [];
  createLog(level, { write: (line) => void lines.push(line) }).error(context, 'it failed');
  return JSON.parse(lines[0] as string);
}

const driverError = Object.assign(new Error('duplicate key'), { code: '23505', detail: 'Key (token)=(s3cret)' });
const failure = new AppError('invalid_request', 'It does not fit', {
  cause: new DatabaseError('duplicate key', '23505', 'tokens_pkey', driverError),
});

test('an error is its class, message and code, and so are its causes', () => {
  expect(logged('info', { error: failure }).error).toEqual({
    type: 'AppError',
    message: 'It does not fit',
    code: 'invalid_request',
    cause: {
      type: 'DatabaseError',
      message: 'duplicate key',
      code: '23505',
      cause: { type: 'Error', message: 'duplicate key', code: '23505' },
    },
  });
});

test('what else an error carries stays out', () => {
  expect(JSON.stringify(logged('debug', { error: failure, err: failure }))).not.toContain('s3cret');
});

test('the stack is there at debug, and always of a defect', () => {
  expect(logged('debug', { error: failure }).error).toHaveProperty('stack');
  expect(logged('info', { err: failure }).err).toHaveProperty('stack');
});

test.each([
  ['a text', 'a text'],
  [undefined, 'undefined'],
  [{ a: 1 }, '[object Object]'],
])('what is no error is told too: %j', (thrown, message) => {
  expect(logged('info', { err: thrown ?? null, error: thrown ?? 'undefined' }).error).toMatchObject({ message });
});

test('errors whose causes go in circles end', () => {
  const error = new Error('round');
  error.cause = error;
  expect(logged('info', { error }).error).toHaveProperty('cause.cause.cause');
});
