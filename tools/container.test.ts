import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { settings } from '../packages/server/src/config.ts';
import { top } from './lib/source-files.ts';

// No image can be built in every place where the tests run, so what is most easily forgotten is read from the text.
const read = (name: string): string => readFileSync(join(top, name), 'utf8');
const dockerfile = read('Dockerfile');
const compose = read('docker-compose.yml');

test('the image runs as an ordinary user without a shell, with its data in /data, and says when it is ready', () => {
  expect(dockerfile).toMatch(/^FROM gcr\.io\/distroless\/nodejs24-debian\d+$/m);
  expect(dockerfile).toMatch(/^USER 1000:1000$/m);
  expect(dockerfile).toContain('PORTOLAN_DATA_DIR=/data');
  expect(dockerfile).toContain('HOST=0.0.0.0');
  expect(dockerfile).toMatch(/^HEALTHCHECK [\s\S]*\/ready/m);
  // without a shell every command has to be a list
  const stage = dockerfile.slice(dockerfile.lastIndexOf('\nFROM '));
  const commands = [...stage.matchAll(/^ *(?:RUN|CMD|ENTRYPOINT) (.+)$/gm)].map(([, command = '']) => command);
  expect(commands).toHaveLength(3);
  for (const command of commands) expect(JSON.parse(command)).toBeInstanceOf(Array);
  expect(dockerfile.trimEnd().split('\n').at(-1)).toBe('CMD ["start"]');
});

test('the image is the package, installed as anybody would', () => {
  expect(dockerfile).toContain('RUN ["npm", "run", "package"]');
  expect(dockerfile).toContain('"/source/output/package"]');
  expect(dockerfile).toContain('COPY --from=build /opt/portolan /opt/portolan');
  const [, bin] = /bin: \{ portolan: '([^']+)' \}/.exec(read('tools/package.mjs')) ?? [];
  expect(dockerfile).toContain(`"/opt/portolan/node_modules/portolan/${bin}"]`);
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
