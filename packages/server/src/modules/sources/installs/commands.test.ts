import { execFileSync } from 'node:child_process';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { settingTitle, toSnake } from '../catalogue/settings-form.ts';
import { installCommands } from './commands.ts';
import { type Runnable, secretVariable } from './runnable.ts';

const run: Runnable = {
  type: 'pagerduty',
  title: 'PagerDuty',
  version: '0.5.141',
  installationId: 'acme-pagerduty',
  clientId: 'client_1',
  publicUrl: 'https://portolan.acme.example',
  resyncMinutes: 360,
  settings: { apiUrl: 'https://api.pagerduty.com' },
  secrets: ['token'],
};

function command(way: string, change: Partial<Runnable> = {}) {
  const found = installCommands({ ...run, ...change }).find((each) => each.way === way);
  if (!found) throw new Error(`There is no ${way}`);
  return found;
}

/** What a shell hands to the programs of a command, one list of words for each call. */
function callsOf(text: string): string[][] {
  const stubs = ['helm', 'docker', 'kubectl'].map(
    (name) => `${name}() { printf '%s\\0' ${name} "$@"; printf '\\n\\0'; }`,
  );
  const env = { PORT_CLIENT_SECRET: "s'e cr$et", PAGERDUTY_TOKEN: 'to,ken"' };
  const written = execFileSync('sh', ['-c', `${stubs.join('\n')}\n${text}`], { env, encoding: 'utf8' });
  return written
    .split('\n\0')
    .filter((each) => each !== '')
    .map((call) => call.split('\0').slice(0, -1));
}

/** Values that a shell, YAML or a template would read as something else. */
const nasty = [
  'a b',
  "it's",
  '"; rm -rf /',
  '$(id) `id` $HOME',
  'a,b={c}',
  '\\',
  'line\nbreak',
  `\${{ secrets.X }}`,
  '-x',
  '',
];

describe('a command says exactly what was entered', () => {
  test.each(nasty)('to Docker: %j', (apiUrl) => {
    for (const way of ['docker', 'docker-once']) {
      const [words = []] = callsOf(command(way, { settings: { apiUrl } }).text);
      expect(words).toContain(`OCEAN__INTEGRATION__CONFIG__API_URL=${apiUrl}`);
      expect(words).toContain('OCEAN__INTEGRATION__CONFIG__TOKEN=to,ken"');
      expect(words).toContain("OCEAN__PORT__CLIENT_SECRET=s'e cr$et");
      expect(words.at(-1)).toBe('ghcr.io/port-labs/port-ocean-pagerduty:0.5.141');
    }
  });

  test.each(nasty)('to Helm, which takes it literally: %j', (apiUrl) => {
    const [, words = []] = callsOf(command('helm', { settings: { apiUrl } }).text);
    const at = words.indexOf(`integration.config.apiUrl=${apiUrl}`);
    expect(words[at - 1]).toBe('--set-literal');
    expect(words).toContain('integration.secrets.token=to,ken"');
  });

  test.each(nasty)('to a pipeline: %j', (apiUrl) => {
    const gitlab = parse(command('gitlab', { settings: { apiUrl } }).text);
    expect(callsOf(gitlab['acme-pagerduty'].script[0])[0]).toContain(`OCEAN__INTEGRATION__CONFIG__API_URL=${apiUrl}`);
    const azure = parse(command('azure', { settings: { apiUrl } }).text);
    expect(callsOf(azure.steps[0].script)[0]).toContain(`OCEAN__INTEGRATION__CONFIG__API_URL=${apiUrl}`);
    const github = parse(command('github', { settings: { apiUrl } }).text);
    // the workflow puts the literal in place of its expression
    const config: string = github.jobs.sync.steps[0].with.config.replaceAll(`\${{ '\${{' }}`, `\${{`);
    expect(parse(config.split('\n')[0] ?? '')).toEqual({ api_url: apiUrl });
    expect(config).toContain(`token: \${{ toJSON(secrets.PAGERDUTY_TOKEN) }}`);
  });

  test.each(nasty)('to a manifest: %j', (apiUrl) => {
    const { text } = command('kubernetes', { settings: { apiUrl } });
    const manifest = parse(/<<'EOF'\n(.*)\nEOF/s.exec(text)?.[1] ?? '');
    const { env } = manifest.spec.template.spec.containers[0];
    expect(env).toContainEqual({ name: 'OCEAN__INTEGRATION__CONFIG__API_URL', value: apiUrl });
    expect(callsOf(text)[0]).toContain("--from-literal=PORT_CLIENT_SECRET=s'e cr$et");
  });
});

test('a list or an object is handed over as JSON', () => {
  const settings = { accounts: ['a', 'b'], isOn: true };
  expect(callsOf(command('docker', { settings }).text)[0]).toContain('OCEAN__INTEGRATION__CONFIG__ACCOUNTS=["a","b"]');
  expect(callsOf(command('helm', { settings }).text)[1]).toContain('integration.config.accounts=["a","b"]');
});

test('no text holds a secret, and every one names the address', () => {
  for (const { text } of installCommands(run)) {
    expect(text).toContain('https://portolan.acme.example');
    expect(text).toContain('PORT_CLIENT_SECRET');
  }
});

describe('an address of this machine alone', () => {
  const local = { publicUrl: 'http://127.0.0.1:3000' };

  test('is reached by a container over its host', () => {
    const { text, warning } = command('docker-once', local);
    expect(text).toContain('--add-host=host.docker.internal:host-gateway');
    expect(text).toContain('OCEAN__PORT__BASE_URL=http://host.docker.internal:3000');
    expect(warning).toContain('HOST=0.0.0.0');
  });

  test.each(['helm', 'kubernetes', 'github', 'gitlab', 'azure'])('is not reached by %s, which says so', (way) => {
    expect(command(way, local).warning).toContain('set PORTOLAN_PUBLIC_URL');
    expect(command(way).warning).toBeNull();
  });
});

test('a client that reads once gets only the ways that end', () => {
  expect(installCommands({ ...run, resyncMinutes: 0 }).map(({ way }) => way)).toEqual([
    'docker-once',
    'github',
    'gitlab',
    'azure',
  ]);
});

test('the Kubernetes exporter is installed by its chart, and makes no resources', () => {
  const settings = { clusterName: 'prod eu' };
  const [only, ...others] = installCommands({ ...run, type: 'kubernetes', version: null, secrets: [], settings });
  expect(others).toEqual([]);
  const words = callsOf(only?.text ?? '')[1];
  expect(words).toEqual(expect.arrayContaining(['extraEnv[0].value=prod eu', 'stateKey=acme-pagerduty']));
  expect(words).toContain('createDefaultResources=false');
});

// as the clients' own framework decamelizes them
test.each([
  ['apiUrl', 'api_url', 'API URL'],
  ['newRelicAPIKey', 'new_relic_api_key', 'New relic API key'],
  ['newRelicGraphqlURL', 'new_relic_graphql_url', 'New relic graphql URL'],
  ['encodedADCConfiguration', 'encoded_adc_configuration', 'Encoded ADC configuration'],
  ['thirdPartyLatencyMS', 'third_party_latency_ms', 'Third party latency ms'],
  ['aws_access_key_id', 'aws_access_key_id', 'AWS access key ID'],
  [
    'bitbucketIsVersion8Point7OrOlder',
    'bitbucket_is_version8_point7_or_older',
    'Bitbucket is version8 point7 or older',
  ],
])('%s is %s to the client', (name, snake, title) => {
  expect([toSnake(name), settingTitle(name)]).toEqual([snake, title]);
});

test.each([
  ['pagerduty', 'token', 'PAGERDUTY_TOKEN'],
  ['github', 'githubToken', 'GITHUB_TOKEN'],
  ['gitlab-v2', 'gitlabToken', 'GITLAB_V2_GITLAB_TOKEN'],
])('the secret of %s is entered as a variable of its own', (type, secret, variable) => {
  expect(secretVariable(type, secret)).toBe(variable);
});
