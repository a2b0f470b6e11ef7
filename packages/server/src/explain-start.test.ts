import { expect, test } from 'vitest';
import { explainStart } from './explain-start.ts';
import { DatabaseError } from './platform/db/database-error.ts';

const system = (code: string, more: object): Error =>
  Object.assign(new Error(`${code}: words of the system`), { code, ...more });

test.each([
  ['EACCES', { path: '/data', syscall: 'mkdir' }, /^\/data may not be used by this user\. .* PORTOLAN_DATA_DIR\.$/],
  ['EROFS', { path: '/data', syscall: 'open' }, /^\/data is on a file system that cannot be written\. .*DATA_DIR\.$/],
  ['ENOTDIR', { path: '/data/x', syscall: 'mkdir' }, /^\/data\/x is not a folder.*DATA_DIR\.$/],
  ['ENOSPC', { path: '/data', syscall: 'write' }, /full\. Make room.*DATA_DIR\.$/],
  [
    'EADDRINUSE',
    { syscall: 'listen', address: '127.0.0.1', port: 80 },
    /^127\.0\.0\.1 port 80 is in use.* HOST and PORT\.$/,
  ],
  [
    'EACCES',
    { syscall: 'listen', address: '0.0.0.0', port: 80 },
    /port 80 may not be used by this user.* HOST and PORT\.$/,
  ],
])('%s %j is a sentence', (code, more, sentence) => {
  expect(explainStart(system(code, more))).toMatch(sentence);
});

test('damaged files of a server say what to do', () => {
  expect(explainStart(new DatabaseError('invalid page', 'XX001'))).toMatch(
    /damaged: invalid page \(XX001\)\. Restore it/,
  );
});

test('a defect of ours keeps its stack', () => {
  expect(explainStart(new TypeError('x is not a function'))).toContain('explain-start.test.ts');
});
