import { expect, test } from 'vitest';
import { opening, opens, secretFindings } from './lib/secret-rules.ts';
import { filesUnder } from './lib/source-files.ts';

const sources = filesUnder(['packages/server/src'], /\.ts$/);

test('secrets are opened where it is known who may have them sent, and nowhere else', () => {
  expect(sources.flatMap(secretFindings)).toEqual([]);
});

test('every place where secrets are opened is there', () => {
  const found = sources.filter((file) => !file.path.endsWith('.test.ts') && opens(file));
  const paths = found.map(({ path }) => path.replace('packages/server/src/modules/', ''));
  expect(Object.keys(opening).filter((path) => !paths.includes(path))).toEqual([]);
});

const path = 'packages/server/src/modules/actions/dispatch/backends/github.ts';

test.each([
  'const { GITHUB_TOKEN: token } = await secrets.secretsOf(orgId, opened);',
  'const known = await deps.secrets.secretsOf(actor.orgId, openedFor(actor));',
  "const value = await secretValue(orgId, 'GITHUB_TOKEN', opened);",
  'const secret = await secrets.signingSecretOf(orgId, opened);',
  'return deps.sealer.open(orgId, purpose, sealed, opened);',
])('%s is found', (text) => {
  expect(secretFindings({ path, text })).toHaveLength(1);
});

test.each([
  'const known = await usableSecrets(deps, actor);',
  'sealer.seal(orgId, purpose, value);',
  'feed.open(orgId);',
])('%s passes', (text) => {
  expect(secretFindings({ path, text })).toEqual([]);
});
