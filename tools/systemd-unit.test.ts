import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readConfig, settings } from '../packages/server/src/config.ts';
import { top } from './lib/source-files.ts';

// `systemd-analyze verify` is not everywhere where the tests run; docs/guides/install.md has the commands.
const folder = join(top, 'deploy/systemd');
const read = (name: string): readonly (readonly [string, string])[] =>
  readFileSync(join(folder, name), 'utf8')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#') && !line.startsWith('['))
    .map((line) => {
      const [, name = line, value = ''] = /^(\w+)=(.*)$/.exec(line) ?? [];
      return [name, value] as const;
    });
const unit = read('portolan.service');
const secrets = read('portolan.service.d/secrets.conf');
const all = (lines: typeof unit, name: string): string[] =>
  lines.filter(([each]) => each === name).map(([, value]) => value);
const environment = (lines: typeof unit): [string, string][] =>
  all(lines, 'Environment')
    .flatMap((line) => line.split(' '))
    .map((each) => [each.slice(0, each.indexOf('=')), each.slice(each.indexOf('=') + 1)]);

test('the unit starts the installed package, and sets only settings that exist', () => {
  expect(all(unit, 'ExecStart')).toEqual(['/usr/bin/node /opt/portolan/node_modules/portolan/bin/portolan.mjs start']);
  const known = new Set(settings.map(({ name }) => name));
  const named = [...environment(unit), ...environment(secrets)].map(([name]) => name);
  expect(named.length).toBeGreaterThan(4);
  // what Node and the C library read
  const others = new Set(['NODE_ENV', 'MALLOC_TRIM_THRESHOLD_']);
  expect(named.filter((name) => !others.has(name) && !known.has(name.replace(/_FILE$/, '')))).toEqual([]);
  // what it sets by itself is enough to start with
  expect(() => readConfig(Object.fromEntries(environment(unit)), '/var/lib/portolan')).not.toThrow();
});

test('secrets are handed over as credentials of the service, each to the setting that reads it', () => {
  const credentials = all(secrets, 'LoadCredential').map((line) => line.split(':')[0]);
  expect(credentials.length).toBeGreaterThan(1);
  expect(environment(secrets).map(([, file]) => file)).toEqual(credentials.map((name) => `%d/${name}`));
  const isSecret = new Set(settings.filter((each) => each.isSecret).map(({ name }) => `${name}_FILE`));
  expect(environment(secrets).filter(([name]) => !isSecret.has(name))).toEqual([]);
});

test('the service ends by itself before systemd kills it', () => {
  const { drainMs } = readConfig({}, '/');
  // the drain and what is late in it, then the ten seconds of the stop
  expect(Number(all(unit, 'TimeoutStopSec')[0])).toBeGreaterThan((drainMs + 2_500 + 10_000) / 1000);
  expect(all(unit, 'KillMode')).toEqual(['mixed']);
});

test('the service may write its own folder alone, and gains nothing', () => {
  expect(Object.fromEntries(unit)).toMatchObject({
    DynamicUser: 'yes',
    StateDirectory: 'portolan',
    StateDirectoryMode: '0700',
    NoNewPrivileges: 'yes',
    CapabilityBoundingSet: '',
    ProtectSystem: 'strict',
    ProtectHome: 'yes',
    PrivateTmp: 'yes',
    PrivateDevices: 'yes',
    RestrictNamespaces: 'yes',
  });
  expect(unit.map(([name]) => name)).not.toContain('ReadWritePaths');
  // the JavaScript engine writes code and then runs it
  expect(unit.map(([name]) => name)).not.toContain('MemoryDenyWriteExecute');
});
