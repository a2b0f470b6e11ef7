import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv } from 'ajv';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { settings } from '../packages/server/src/config.ts';
import type { Presence } from '../packages/server/src/platform/db/presence.types.ts';
import { createHttpServer } from '../packages/server/src/platform/http/server.ts';
import { createStatus } from '../packages/server/src/surfaces/status.ts';
import { silentLog } from './lib/idle-app.ts';
import { top } from './lib/source-files.ts';

// Helm is no package of npm, so it does not run here: what it reads is compared with what it meets. How to render the
// chart is in tools/deploy/README.md.

type Values = Readonly<Record<string, unknown>>;
interface Schema {
  readonly type?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly additionalProperties?: unknown;
}

const folder = join(top, 'deploy/helm/portolan');
const read = (name: string): string => readFileSync(join(folder, name), 'utf8');
const templates = readdirSync(join(folder, 'templates'), { recursive: true, encoding: 'utf8' })
  .filter((name) => /\.(yaml|tpl|txt)$/.test(name))
  .map((name) => ({ name, text: read(`templates/${name}`) }));
const helpers = templates.find(({ name }) => name === '_helpers.tpl')?.text ?? '';
const schema = JSON.parse(read('values.schema.json')) as Schema;
const values = parse(read('values.yaml')) as Values;
const required = { publicUrl: 'https://portal.example.com', secret: { name: 'portolan' } };
const isAccepted = new Ajv({ allErrors: true, allowUnionTypes: true }).compile(schema);

/** What the chart sets in every pod, without the suffix of those that name a file. */
const setByChart = [...helpers.matchAll(/^- \{ name: ([A-Z][A-Z_]+), value/gm)].map(([, name = '']) => name);
const plain = (name: string): string => name.replace(/_FILE$/, '');

describe('values', () => {
  test('those of the chart are accepted once the required ones are set', () => {
    isAccepted({ ...values, ...required });
    expect(isAccepted.errors).toBeNull();
  });

  test.each([
    [{ replicas: 3 }, 'additional properties'],
    [{ publicUrl: 'portal.example.com' }, 'pattern'],
    [{ secret: 'portolan' }, 'must be object'],
    [{ secret: { name: 'portolan', more: { PORTOLAN_LLM_KEY: 'key' } } }, 'allowed values'],
    [{ settings: { PORTOLAN_MASTER_KEY: 'in the open' } }, 'must NOT be valid'],
    [{ settings: { PORTOLAN_ROLE: 'all' } }, 'must NOT be valid'],
    [{ settings: { LD_PRELOAD: '/tmp/x.so' } }, 'pattern'],
    [{ settings: { PORTOLAN_LOG_LEVEL: ['debug'] } }, 'must be string,integer'],
    [{ database: { poolSize: 1 } }, '>= 2'],
    [{ database: { pooler: 'session' } }, 'allowed values'],
    [{ web: { replicas: 'two' } }, 'must be integer'],
    [{ image: { repository: 'portolan', digest: 'sha256:short' } }, 'pattern'],
  ])('%j is refused', (wrong, reason) => {
    expect(isAccepted({ ...required, ...wrong })).toBe(false);
    expect(JSON.stringify(isAccepted.errors)).toContain(reason);
  });

  test('the schema has what values.yaml has, and templates read what is there', () => {
    const described = pathsOfSchema(schema);
    const given = pathsOfValues(values, described);
    expect(given.filter((path) => !described.has(path))).toEqual([]);
    // `global` is Helm's own; resources may also name what has no default
    const isOptional = (path: string): boolean => path === 'global' || path.includes('.resources.');
    expect([...described].filter((path) => !given.includes(path) && !isOptional(path))).toEqual([]);
    const named = templates.flatMap(({ text }) =>
      [...text.matchAll(/\.Values\.([A-Za-z.]+)/g)].map(([, path]) => path),
    );
    const isKnown = (path = ''): boolean => [...described].some((each) => each === path || each.startsWith(`${path}.`));
    expect(named.filter((path) => !isKnown(path))).toEqual([]);
    const isRead = (path: string): boolean => named.some((each = '') => path === each || path.startsWith(`${each}.`));
    expect([...described].filter((path) => !isRead(path) && path !== 'global')).toEqual([]);
  });
});

describe('settings', () => {
  test('the chart sets only settings that the server reads, and every secret from a file', () => {
    expect(setByChart.length).toBeGreaterThan(12);
    const known = new Map(settings.map((each) => [each.name, each]));
    expect(setByChart.filter((name) => !known.has(plain(name)))).toEqual([]);
    expect(setByChart.filter((name) => (known.get(plain(name))?.isSecret === true) !== name.endsWith('_FILE'))).toEqual(
      [],
    );
  });

  test('every other secret can be handed over from the Secret, and every other setting as it is', () => {
    const own = new Set(setByChart.map(plain));
    for (const { name, isSecret = false } of settings.filter((each) => !own.has(each.name))) {
      expect(isAccepted({ ...required, settings: { [name]: 'x' } }), name).toBe(!isSecret);
      const handedOver = { ...required, secret: { name: 'portolan', more: { [name]: 'key' } } };
      expect(isAccepted(handedOver), name).toBe(isSecret);
    }
    for (const name of own) expect(isAccepted({ ...required, settings: { [name]: 'x' } }), name).toBe(false);
  });
});

test('probes and Prometheus ask paths that the server has', async () => {
  const paths = templates.flatMap(({ text }) => [...text.matchAll(/(?:httpGet: \{|port: metrics,) path: ([/\w]+)/g)]);
  const named = new Set(paths.map(([, path = '']) => path));
  expect([...named].sort()).toEqual(['/health', '/metrics', '/ready']);
  const refuse = (): never => {
    throw new Error('no path of these needs a token');
  };
  const presence: Presence = {
    absence: () => undefined,
    isReadOnly: () => false,
    check: async () => ({ absence: undefined, problem: undefined }),
    held: () => undefined,
    doubt: async () => undefined,
    onChange: () => undefined,
    start: () => undefined,
    close: () => undefined,
  };
  const server = createHttpServer({
    log: silentLog,
    gate: { authenticate: refuse, authenticateOperator: refuse },
    routes: [],
    surfaces: [createStatus(presence).serve],
  });
  for (const path of named) expect((await server.inject(path)).statusCode, path).toBe(200);
  await server.close();
});

test.each(templates.map(({ name, text }) => [name, text]))('%s closes every block that it opens', (_name, text) => {
  const actions = [...text.matchAll(/\{\{-?\s*(?!\/\*)([a-z]+)/g)].map(([, word = '']) => word);
  const opened = actions.filter((word) => ['if', 'with', 'range', 'define'].includes(word));
  expect(actions.filter((word) => word === 'end')).toHaveLength(opened.length);
  const included = [...text.matchAll(/include "([\w.]+)"/g)].map(([, name]) => name);
  expect(included.filter((name) => !helpers.includes(`{{- define "${name}" -}}`))).toEqual([]);
});

test('pods run as an ordinary user, without capabilities, on a file system that cannot be written', () => {
  const pods = templates.filter(({ text }) => /^ *containers:$/m.test(text));
  expect(pods.map(({ name }) => name).sort()).toEqual(['_helpers.tpl', 'tests/doctor.yaml']);
  for (const { text } of pods) {
    for (const line of ['runAsNonRoot: true', 'readOnlyRootFilesystem: true', 'allowPrivilegeEscalation: false']) {
      expect(text).toContain(line);
    }
    expect(text).toContain('capabilities: { drop: [ALL] }');
    expect(text).toContain('automountServiceAccountToken: false');
    const [, user] = /runAsUser: (\d+)/.exec(text) ?? [];
    expect(readFileSync(join(top, 'Dockerfile'), 'utf8')).toContain(`USER ${user}:${user}`);
  }
});

test('the chart has the version of the product', () => {
  const chart = parse(read('Chart.yaml')) as { readonly version: string; readonly appVersion: string };
  const server = JSON.parse(readFileSync(join(top, 'packages/server/package.json'), 'utf8')) as { version: string };
  expect([chart.version, chart.appVersion]).toEqual([server.version, server.version]);
});

/** The paths of what can be set; an object whose members the operator names is one value, like a list. */
function pathsOfSchema(of: Schema, prefix = ''): Set<string> {
  if (of.properties === undefined) return new Set([prefix]);
  expect(of.additionalProperties, `${prefix} is closed`).toBe(false);
  return new Set(
    Object.entries(of.properties).flatMap(([name, each]) => [
      ...pathsOfSchema(each, prefix ? `${prefix}.${name}` : name),
    ]),
  );
}

function pathsOfValues(of: Values, ends: ReadonlySet<string>, prefix = ''): string[] {
  return Object.entries(of).flatMap(([name, value]) => {
    const path = prefix ? `${prefix}.${name}` : name;
    if (ends.has(path) || typeof value !== 'object' || value === null) return [path];
    return pathsOfValues(value as Values, ends, path);
  });
}
