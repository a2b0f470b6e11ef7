import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connectableProviders } from '@portolan/contract/llm-providers';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ConfigError, readConfig, settings } from './config.ts';

const key = Buffer.alloc(32, 1).toString('base64');
let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'portolan-config-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

function readProblems(environment: Record<string, string>): string[] {
  try {
    readConfig(environment, '/srv/portolan');
  } catch (error) {
    if (error instanceof ConfigError) return error.message.split('\n');
    throw error;
  }
  return [];
}

function fileWith(content: string): string {
  const path = join(folder, `secret-${Math.random()}`);
  writeFileSync(path, content);
  return path;
}

describe('without a setting', () => {
  const replica = { DATABASE_URL: 'postgres://127.0.0.1/p', PORTOLAN_MASTER_KEY: key };

  test('everything has a default', () => {
    expect(readConfig({}, '/srv/portolan')).toEqual({
      port: 3000,
      auditDays: 365,
      kafkaBrokers: [],
      smtp: undefined,
      runDays: 365,
      undoDays: 7,
      host: '127.0.0.1',
      publicUrl: undefined,
      trustedProxies: [],
      dataDir: '/srv/portolan/.portolan',
      databaseUrl: undefined,
      databaseDirectUrl: undefined,
      databasePooler: 'none',
      databasePoolSize: 10,
      role: 'all',
      first: 'demo',
      clientId: undefined,
      clientSecret: undefined,
      adminEmail: undefined,
      adminPassword: undefined,
      operatorToken: undefined,
      masterKey: undefined,
      model: { provider: 'built-in', model: undefined, offered: [], baseUrl: undefined, apiKey: undefined },
      ai: {
        fallback: undefined,
        prices: {},
        connectable: [...connectableProviders],
        contentDays: 90,
        historyTokens: 12_000,
        chatNotice: undefined,
      },
      telemetry: undefined,
      allowsPrivateNetwork: false,
      privateHosts: [],
      extraCertificates: [],
      logLevel: 'info',
      drainMs: 0,
      finishMs: 6_000,
    });
  });

  test.each([
    ['the embedded database', {}, 0, 6_000],
    ['a database that replicas share', replica, 10_000, 15_000],
    ['a time of its own', { PORTOLAN_DRAIN_SECONDS: '0.5' }, 500, 15_000],
    ['no time at all', { ...replica, PORTOLAN_DRAIN_SECONDS: '0' }, 0, 6_000],
    ['a role that serves nobody', { ...replica, PORTOLAN_ROLE: 'worker' }, 0, 15_000],
  ])(
    'with %s a stop serves as long as a proxy needs to notice, and ends in a time that follows',
    (_name, set, drainMs, finishMs) => {
      expect(readConfig(set, '/srv/portolan')).toMatchObject({ drainMs, finishMs });
    },
  );

  test.each([
    ['03:30', { atMs: 12_600_000 }],
    ['6h', { everyMs: 21_600_000 }],
  ])('backups are taken at %s', (given, schedule) => {
    const set = { PORTOLAN_BACKUP_SCHEDULE: given, PORTOLAN_BACKUP_FOLDER: 'kept' };
    expect(readConfig(set, '/srv/portolan').backups).toEqual({
      schedule,
      keep: 7,
      folder: join('/srv/portolan', 'kept'),
    });
  });

  test('an empty value is none', () => {
    const empty = Object.fromEntries(settings.map(({ name }) => [name, '']));
    expect(readConfig(empty, '/srv/portolan')).toEqual(readConfig({}, '/srv/portolan'));
  });
});

describe('a setting that is wrong ends the start with a sentence that names it', () => {
  test.each([
    ['PORT', 'abc'],
    ['PORT', '65536'],
    ['PORT', '-1'],
    ['PORT', '1.5'],
    ['PORTOLAN_TRUSTED_PROXIES', 'proxy.example.com'],
    ['PORTOLAN_TRUSTED_PROXIES', '10.0.0.0/33'],
    ['PORTOLAN_TRUSTED_PROXIES', '10.0.0.1, 10.0.0.0/8/8'],
    ['PORTOLAN_PUBLIC_URL', 'portal.example.com'],
    ['PORTOLAN_PUBLIC_URL', 'ftp://example.com'],
    ['DATABASE_URL', 'mysql://localhost/x'],
    ['DATABASE_URL', 'localhost:5432'],
    ['DATABASE_DIRECT_URL', 'postgres://one,,two/x'],
    ['DATABASE_POOLER', 'session'],
    ['DATABASE_POOL_SIZE', '1'],
    ['PORTOLAN_ROLE', 'both'],
    ['PORTOLAN_DEMO', 'yes'],
    ['PORTOLAN_CLIENT_ID', 'x'.repeat(501)],
    ['PORTOLAN_CLIENT_SECRET', 'x'.repeat(1001)],
    ['PORTOLAN_ADMIN_EMAIL', 'nobody'],
    ['PORTOLAN_ADMIN_PASSWORD', 'short'],
    ['PORTOLAN_OPERATOR_TOKEN', 'short'],
    ['PORTOLAN_MASTER_KEY', 'c2hvcnQ='],
    ['PORTOLAN_LLM_PROVIDER', 'gemini'],
    ['PORTOLAN_LLM_BASE_URL', 'localhost:11434'],
    ['PORTOLAN_ALLOW_PRIVATE_NETWORK', 'true'],
    ['PORTOLAN_PRIVATE_HOSTS', 'https://git.corp.example'],
    ['PORTOLAN_EXTRA_CA', '/etc/ssl/corp.pem'],
    ['PORTOLAN_EXTRA_CA', '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----'],
    ['PORTOLAN_LOG_LEVEL', 'loud'],
    ['PORTOLAN_METRICS_PORT', '0'],
    ['PORTOLAN_BACKUP_SCHEDULE', '24:00'],
    ['PORTOLAN_BACKUP_SCHEDULE', 'daily'],
    ['PORTOLAN_BACKUP_SCHEDULE', '0h'],
    ['PORTOLAN_BACKUP_SCHEDULE', '169h'],
    ['PORTOLAN_BACKUP_KEEP', '0'],
  ])('%s=%.30s', (name, value) => {
    const problems = readProblems({ [name]: value });
    expect(problems.filter((problem) => problem.startsWith(`${name} `))).toHaveLength(1);
    expect(problems.every((problem) => /\.$/.test(problem))).toBe(true);
  });

  test('never repeats a secret', () => {
    expect(readProblems({ PORTOLAN_OPERATOR_TOKEN: 'hush', PORTOLAN_ADMIN_PASSWORD: 'hushed' }).join()).not.toContain(
      'hush',
    );
  });

  test('all of them at once', () => {
    const problems = readProblems({ PORT: 'x', PORTOLAN_ROLE: 'y', PORTOLAN_LOG_LEVEL: 'z' });
    expect(problems.map((problem) => problem.split(' ')[0])).toEqual(['PORT', 'PORTOLAN_ROLE', 'PORTOLAN_LOG_LEVEL']);
  });
});

describe('settings that contradict each other', () => {
  test.each([
    [{ DATABASE_URL: 'postgres://localhost/x' }, 'PORTOLAN_MASTER_KEY is required with DATABASE_URL'],
    [{ DATABASE_POOLER: 'transaction' }, 'DATABASE_DIRECT_URL is required with DATABASE_POOLER=transaction'],
    [{ PORTOLAN_BACKUP_SCHEDULE: '03:00' }, 'PORTOLAN_BACKUP_FOLDER is required with PORTOLAN_BACKUP_SCHEDULE'],
    [{ PORT: '3000', PORTOLAN_METRICS_PORT: '3000' }, 'PORTOLAN_METRICS_PORT must be another port than PORT'],
    [{ PORTOLAN_ROLE: 'web' }, 'PORTOLAN_ROLE=web, worker or migrate needs DATABASE_URL'],
    [{ PORTOLAN_ROLE: 'worker' }, 'PORTOLAN_ROLE=web, worker or migrate needs DATABASE_URL'],
    [{ PORTOLAN_ROLE: 'migrate' }, 'PORTOLAN_ROLE=web, worker or migrate needs DATABASE_URL'],
    [{ PORTOLAN_LLM_PROVIDER: 'openai-compatible' }, 'PORTOLAN_LLM_BASE_URL is required'],
  ])('%j', (environment, sentence) => {
    const problems = readProblems(environment);
    expect(problems).toHaveLength(1);
    expect(problems[0]).toContain(sentence);
  });

  test('together they are fine', () => {
    const environment = { DATABASE_URL: 'postgresql://u:p@db/x', PORTOLAN_MASTER_KEY: key, PORTOLAN_ROLE: 'worker' };
    expect(readProblems(environment)).toEqual([]);
  });
});

describe('a value in a file', () => {
  test.each(settings.map(({ name }) => name))('%s_FILE is read, without the end of the line', (name) => {
    const problems = readProblems({ [`${name}_FILE`]: fileWith('\n') });
    expect(problems).toEqual([]);
  });

  test('counts as the value', () => {
    const config = readConfig({ PORTOLAN_OPERATOR_TOKEN_FILE: fileWith('0123456789abcdef\n') }, '/srv/portolan');
    expect(config.operatorToken).toBe('0123456789abcdef');
  });

  test('is named where it cannot be read, and where the value is set too', () => {
    expect(readProblems({ PORTOLAN_MASTER_KEY_FILE: '/nowhere/key' })).toEqual([
      'PORTOLAN_MASTER_KEY_FILE names /nowhere/key, which cannot be read.',
    ]);
    const both = { PORTOLAN_CLIENT_ID: 'a', PORTOLAN_CLIENT_ID_FILE: fileWith('b') };
    expect(readProblems(both)).toEqual(['PORTOLAN_CLIENT_ID and PORTOLAN_CLIENT_ID_FILE are both set; keep one.']);
  });

  test('is checked like any other', () => {
    expect(readProblems({ PORT_FILE: fileWith('many') })[0]).toMatch(/^PORT /);
  });
});

describe('the model', () => {
  const model = (environment: Record<string, string>) => readConfig(environment, '/srv/portolan').model;

  test('is the provider that is set, else the one whose key is there', () => {
    expect(model({ OPENAI_API_KEY: 'k' })).toMatchObject({ provider: 'openai', apiKey: 'k' });
    expect(model({ ANTHROPIC_API_KEY: 'k' })).toMatchObject({ provider: 'anthropic', apiKey: 'k' });
    expect(model({ OPENAI_API_KEY: 'k', PORTOLAN_LLM_PROVIDER: 'built-in' })).toMatchObject({ provider: 'built-in' });
  });

  test('has an address without a slash at its end', () => {
    const environment = { PORTOLAN_LLM_PROVIDER: 'openai-compatible', PORTOLAN_LLM_BASE_URL: 'http://localhost:1/v1/' };
    expect(model(environment).baseUrl).toBe('http://localhost:1/v1');
  });
});

test('paths are told from the working directory, and absolute ones stay', () => {
  expect(readConfig({ PORTOLAN_DATA_DIR: 'data' }, '/srv/portolan').dataDir).toBe('/srv/portolan/data');
  expect(readConfig({ PORTOLAN_DATA_DIR: '/data' }, '/srv/portolan').dataDir).toBe('/data');
});
