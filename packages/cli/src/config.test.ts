import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { parseArguments } from './command.ts';
import { connectionOptions, readAddress, readCredentials, readOperatorToken } from './config.ts';

let workingDirectory = '';
beforeEach(() => {
  workingDirectory = mkdtempSync(join(tmpdir(), 'portolan-cli-'));
  mkdirSync(join(workingDirectory, '.portolan'));
  const kept = { clientId: 'kept-id', clientSecret: 'kept-secret', operatorToken: 'kept-token' };
  writeFileSync(join(workingDirectory, '.portolan/secrets.json'), JSON.stringify(kept));
});
afterEach(() => rmSync(workingDirectory, { recursive: true }));

const input = (...given: string[]) => parseArguments(given, connectionOptions);
const local = 'http://127.0.0.1:3000';

describe('the address', () => {
  test.each([
    [['--url', 'http://a.example/'], { PORTOLAN_URL: 'http://b.example' }, 'http://a.example', '--url'],
    [[], { PORTOLAN_URL: 'https://b.example/portal/v1', PORT: '4000' }, 'https://b.example/portal', 'PORTOLAN_URL'],
    [[], { PORT: '4000' }, 'http://127.0.0.1:4000', 'PORT'],
    [[], { PORT: '' }, 'http://127.0.0.1:3000', 'the default'],
  ])('%j with %j is %s', (given, environment, value, source) => {
    expect(readAddress(input(...given), { environment, workingDirectory })).toEqual({ value, source });
  });

  test.each(['localhost:3000', 'ftp://a.example', ''])('"%s" is refused', (url) => {
    expect(() => readAddress(input('--url', url), { environment: {}, workingDirectory })).toThrow(
      expect.objectContaining({ exitCode: 2, code: 'usage' }),
    );
  });
});

describe('the credentials', () => {
  const read = (environment: Record<string, string>, address = local, ...given: string[]) =>
    readCredentials(input(...given), { environment, workingDirectory }, address);

  test('options come before the environment', () => {
    const environment = { PORTOLAN_CLIENT_ID: 'id', PORTOLAN_CLIENT_SECRET: 'secret' };
    expect(read(environment, local, '--client-id', 'a', '--client-secret', 'b').value).toEqual({
      clientId: 'a',
      clientSecret: 'b',
    });
    expect(read(environment).value).toEqual({ clientId: 'id', clientSecret: 'secret' });
  });

  test('one of the two options is too few', () => {
    expect(() => read({}, local, '--client-id', 'a')).toThrow(expect.objectContaining({ exitCode: 2 }));
  });

  test('what is not set comes from the data folder, each for itself', () => {
    expect(read({})).toEqual({
      value: { clientId: 'kept-id', clientSecret: 'kept-secret' },
      source: '.portolan/secrets.json',
    });
    expect(read({ PORTOLAN_CLIENT_ID: 'id' }).value).toEqual({ clientId: 'id', clientSecret: 'kept-secret' });
  });

  test('a file named in the environment holds the value', () => {
    writeFileSync(join(workingDirectory, 'secret.txt'), 'from-file\n');
    expect(read({ PORTOLAN_CLIENT_SECRET_FILE: 'secret.txt' }).value.clientSecret).toBe('from-file');
    expect(() => read({ PORTOLAN_CLIENT_SECRET_FILE: 'gone.txt' })).toThrow(expect.objectContaining({ exitCode: 2 }));
  });

  test('without a data folder the error says what to do', () => {
    expect(() => read({ PORTOLAN_DATA_DIR: 'gone' })).toThrow(
      expect.objectContaining({
        exitCode: 4,
        code: 'credentials_missing',
        message:
          'There is no gone/secrets.json. Run the command in the folder where the server was started, or set PORTOLAN_CLIENT_ID and PORTOLAN_CLIENT_SECRET.',
      }),
    );
  });

  test.each(['http://localhost:1', 'http://127.8.0.1', 'http://[::1]:3000'])('the kept ones go to %s', (address) => {
    expect(read({}, address).value.clientId).toBe('kept-id');
  });

  test.each(['https://other.example', 'http://127.0.0.1.other.example', 'http://192.168.1.5:3000'])(
    'the kept ones never go to %s',
    (address) => {
      expect(() => read({}, address)).toThrow(expect.objectContaining({ exitCode: 4 }));
      const surroundings = { environment: {}, workingDirectory };
      expect(() => readOperatorToken(surroundings, address)).toThrow(expect.objectContaining({ exitCode: 4 }));
    },
  );

  test('the kept ones go to the public address of the installation', () => {
    const environment = { PORTOLAN_PUBLIC_URL: 'https://portal.example/' };
    expect(read(environment, 'https://portal.example').value.clientId).toBe('kept-id');
  });
});

test('the operator token comes from the environment, else from the data folder', () => {
  const token = (environment: Record<string, string>) => readOperatorToken({ environment, workingDirectory }, local);
  expect(token({ PORTOLAN_OPERATOR_TOKEN: 'set' })).toBe('set');
  expect(token({})).toBe('kept-token');
});
