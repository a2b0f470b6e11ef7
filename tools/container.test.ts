import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { settings } from '../packages/server/src/config.ts';
import { top } from './lib/source-files.ts';

// No image can be built in every place where the tests run, so what is most easily forgotten is read from the text.
const read = (name: string): string => readFileSync(join(top, name), 'utf8');
const dockerfile = read('Dockerfile');
const compose = read('docker-compose.yml');

test('the image runs as an ordinary user, with its data in /data, and says when it is ready', () => {
  expect(dockerfile).toMatch(/^USER node$/m);
  expect(dockerfile).toContain('PORTOLAN_DATA_DIR=/data');
  expect(dockerfile).toContain('HOST=0.0.0.0');
  expect(dockerfile).toMatch(/^HEALTHCHECK [\s\S]*\/ready/m);
  expect(dockerfile.trimEnd().split('\n').at(-1)).toBe('CMD ["node", "packages/server/dist/main.js"]');
});

test('the image has every package that the server and the command line need', () => {
  const built = readdirSync(join(top, 'packages')).filter((name) => name !== 'portal');
  for (const name of built) {
    expect(dockerfile).toContain(`COPY packages/${name}/package.json packages/${name}/`);
    expect(dockerfile).toContain(`COPY --from=build /app/packages/${name}/dist packages/${name}/dist`);
  }
  // what the server reads beside its program
  for (const folder of ['migrations', 'demo']) {
    expect(dockerfile).toContain(`COPY --from=build /app/packages/server/${folder} packages/server/${folder}`);
  }
});

test('nothing secret and nothing built gets into the build context', () => {
  const ignored = read('.dockerignore').split('\n');
  for (const path of ['.git', '.env', '.portolan', '**/node_modules', '**/dist']) expect(ignored).toContain(path);
});

test('the compose file sets only settings that exist and requires its secrets', () => {
  const known = new Set([...settings.map(({ name }) => name), 'POSTGRES_USER', 'POSTGRES_DB', 'POSTGRES_PASSWORD']);
  const named = [...compose.matchAll(/^ {6}([A-Z][A-Z_]+):/gm)].map(([, name]) => name ?? '');
  expect(named.length).toBeGreaterThan(5);
  expect(named.filter((name) => !known.has(name))).toEqual([]);
  for (const secret of ['POSTGRES_PASSWORD', 'PORTOLAN_MASTER_KEY']) expect(compose).toContain(`\${${secret}:?`);
});

test('the compose file is indented by two spaces without tabs, and its volumes are declared', () => {
  for (const line of compose.split('\n')) expect(line).toMatch(/^( {2})*(\S|$)/);
  const declared = compose.slice(compose.indexOf('\nvolumes:'));
  for (const [, volume] of compose.matchAll(/^ {6}- (\w+):\//gm)) expect(declared).toContain(`\n  ${volume}:`);
});
