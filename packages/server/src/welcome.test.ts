import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readConfig } from './config.ts';
import { loadSecrets } from './secrets.ts';
import { type WelcomeInput, welcome } from './welcome.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'portolan-welcome-'));
});
afterAll(() => rm(folder, { recursive: true }));

const environment = {
  PORTOLAN_CLIENT_ID: 'the-client',
  PORTOLAN_CLIENT_SECRET: 'client-secret-of-the-operator',
  PORTOLAN_ADMIN_PASSWORD: 'password-of-the-operator',
  PORTOLAN_OPERATOR_TOKEN: 'token-of-the-operator',
  PORTOLAN_MASTER_KEY: Buffer.alloc(32, 5).toString('base64'),
};
const names = Object.keys(environment) as (keyof typeof environment)[];

interface Printed {
  readonly isFirstStart: boolean;
  readonly first: WelcomeInput['first'];
  readonly dataDir: string;
}

/** What a start prints with these settings, on a data folder that is new unless named. */
async function printed(
  set: Partial<typeof environment>,
  { isFirstStart = true, first = 'demo', dataDir = '' }: Partial<Printed> = {},
) {
  const config = readConfig({ ...set, PORTOLAN_DATA_DIR: dataDir || (await mkdtemp(join(folder, 'data-'))) }, folder);
  const loaded = await loadSecrets(config);
  const input = { address: 'http://localhost:3000', role: 'all', first, model: 'built-in' } as const;
  return { text: welcome({ ...input, loaded, isFirstStart }), loaded, dataDir: config.dataDir };
}

/** Every choice of settings that are set. */
const choices = Array.from({ length: 2 ** names.length }, (_none, bits) =>
  Object.fromEntries(names.filter((_name, at) => bits & (1 << at)).map((name) => [name, environment[name]])),
);

test('what the operator set is never printed, whichever of the others are generated', async () => {
  for (const set of choices) {
    const { text } = await printed(set);
    for (const [name, value] of Object.entries(set)) {
      if (name !== 'PORTOLAN_CLIENT_ID') expect(text, Object.keys(set).join()).not.toContain(value);
    }
  }
});

test('a generated client secret and password are printed at the first start and not at the next', async () => {
  const first = await printed({});
  const { clientSecret, adminPassword, masterKey, operatorToken } = first.loaded.secrets;
  expect(first.text).toContain(clientSecret);
  expect(first.text).toContain(adminPassword);
  const next = await printed({}, { isFirstStart: false, dataDir: first.dataDir });
  expect(next.loaded.secrets.clientSecret).toBe(clientSecret);
  for (const secret of [clientSecret, adminPassword]) expect(next.text).not.toContain(secret);
  for (const { text } of [first, next])
    for (const secret of [masterKey, operatorToken]) expect(text).not.toContain(secret);
});

test('what is generated later does not print again what was generated before', async () => {
  const first = await printed({ PORTOLAN_OPERATOR_TOKEN: environment.PORTOLAN_OPERATOR_TOKEN });
  const later = await printed({}, { isFirstStart: false, dataDir: first.dataDir });
  expect([...later.loaded.made]).toEqual(['operatorToken']);
  expect(later.text).not.toContain(first.loaded.secrets.clientSecret);
});

test('the first start says what the organization holds, and how to start with the other', async () => {
  expect((await printed({})).text).toContain('PORTOLAN_DEMO=beside PORTOLAN_DATA_DIR=.portolan-own npm start');
  const own = (await printed({}, { first: 'empty' })).text;
  expect(own).toContain('http://localhost:3000/first-steps');
  expect(own).toContain('npx portolan demo add');
  expect((await printed({}, { first: 'beside' })).text).toContain('The demo is beside it');
  expect((await printed({}, { isFirstStart: false })).text).not.toContain('PORTOLAN_DEMO');
});

test('the command to ask names the server where it is not where the command looks by itself', async () => {
  const { text, loaded } = await printed({});
  expect(text).toMatch(/npx portolan ask "[^"]+"\n/);
  const elsewhere = { address: 'http://localhost:7455', role: 'all', first: 'demo', model: 'built-in' } as const;
  expect(welcome({ ...elsewhere, loaded, isFirstStart: true })).toMatch(
    /npx portolan ask "[^"]+" --url http:\/\/localhost:7455\n/,
  );
});
