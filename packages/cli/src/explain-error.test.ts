import { ApiError } from '@portolan/contract/client';
import { expect, test } from 'vitest';
import { explainError, wasCut } from './explain-error.ts';

const address = 'http://127.0.0.1:3000';
const failedFetch = (code: string) => new TypeError('fetch failed', { cause: { code } });
const refused = (status: number, error: string) =>
  new ApiError(status, { ok: false, error, message: 'It says why' } as never, '');

test.each([
  [
    failedFetch('ECONNREFUSED'),
    3,
    'server_unreachable',
    `No server listens at ${address}. Start it with "npm start", or name another with --url or PORTOLAN_URL.`,
  ],
  [
    failedFetch('ENOTFOUND'),
    3,
    'server_unreachable',
    `${address} cannot be reached (ENOTFOUND). Check the address (--url or PORTOLAN_URL) and the network.`,
  ],
  [
    new ApiError(404, undefined, 'HTTP 404: <html>'),
    3,
    'unexpected_answer',
    `${address} answered 404 and not as Portolan does. Check the address (--url).`,
  ],
  [
    new SyntaxError('Unexpected token <'),
    3,
    'unexpected_answer',
    `${address} answered without JSON and not as Portolan does. Check the address (--url).`,
  ],
  [
    refused(401, 'unauthorized'),
    4,
    'unauthorized',
    'It says why. Check the client id and secret: --client-id and --client-secret, or the environment.',
  ],
  [
    refused(403, 'missing_permissions'),
    4,
    'missing_permissions',
    'It says why. Ask an administrator of the organization for the permission.',
  ],
  [refused(503, 'service_unavailable'), 3, 'service_unavailable', 'It says why.'],
  [refused(422, 'invalid_request'), 1, 'invalid_request', 'It says why.'],
])('%s ends with %i %s', (error, exitCode, code, message) => {
  expect(explainError(error, address)).toMatchObject({ exitCode, code, message });
});

test('an operator is told about the operator token', () => {
  expect(explainError(refused(401, 'unauthorized'), address, 'operator')?.message).toBe(
    'It says why. Set PORTOLAN_OPERATOR_TOKEN as the server has it.',
  );
});

test('what nobody expects is not explained away', () => {
  expect(explainError(new TypeError('x is not a function'), address)).toBeUndefined();
  expect(explainError(new RangeError('x'), address)).toBeUndefined();
});

test('a cut connection is told from one that was never made', () => {
  expect(['UND_ERR_SOCKET', 'ECONNRESET'].map((code) => wasCut(failedFetch(code)))).toEqual([true, true]);
  expect(['ECONNREFUSED', 'DEPTH_ZERO_SELF_SIGNED_CERT'].map((code) => wasCut(failedFetch(code)))).toEqual([
    false,
    false,
  ]);
});
