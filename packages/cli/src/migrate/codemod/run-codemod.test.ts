import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { hasTerraform } from '../../../test/has-terraform.ts';
import { createTestContext } from '../../../test/test-context.ts';
import { run } from '../../run.ts';
import { nobody } from '../migrate.command.ts';
import { scanFolder } from './scan-folder.ts';
import { applyTextEdits } from './text-edit.ts';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'portolan-codemod-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function put(files: Readonly<Record<string, string | Buffer>>): void {
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), content);
  }
}

async function called(given: readonly string[], environment: Readonly<Record<string, string>> = {}) {
  const { context, out, err } = createTestContext({ workingDirectory: folder, environment });
  return { code: await run(given, context), out: out(), err: err() };
}

const blueprint = 'resource "port_blueprint" "a" {\n  identifier       = "a"\n  team_inheritance = { path = "x" }\n}\n';

describe('what cannot be looked at', () => {
  const bomb = `a: &a [x, x]\n${'bcdefgh'.replaceAll(/./g, (key, at) => `${key}: &${key} [*${'abcdefg'[at]}, *${'abcdefg'[at]}]\n`)}team: *h\nidentifier: x\n`;
  const reasons: Readonly<Record<string, RegExp>> = {
    'binary.tf': /it is no text in UTF-8/,
    'bomb.yml': /its aliases make it too large/,
    'broken.tf': /it does not parse \(line 1, column 61: The text has no closing quote\.\)/,
    'broken.yml': /it does not parse \(Flow sequence/,
    'deep.json': /nested too deeply|does not parse/,
    'deeper.json': /it is nested too deeply/,
    'large.yml': /it has more than 1000000 bytes/,
    'linked.tf': /links are not followed/,
    'main.tf.json': /files of this kind are not read, and it speaks of teams/,
    'values.tfvars': /files of this kind are not read, and it speaks of teams/,
  };
  const files = {
    'good.tf': blueprint,
    'broken.tf': 'resource "port_blueprint" "a" { team_inheritance = { path = "x',
    'broken.yml': 'team: [',
    'unrelated.yml': 'broken: [',
    'unrelated.tfvars': 'region = "eu"\n',
    'bomb.yml': bomb,
    'deep.json': `${'['.repeat(5000)}"team"${']'.repeat(5000)}`,
    'deeper.json': `{"identifier": "x", "blueprint": "y", "team": ${'{"a":'.repeat(300)}1${'}'.repeat(300)}}`,
    'large.yml': `resources: [] # ${'team '.repeat(250_000)}`,
    'binary.tf': Buffer.from([0xff, 0xfe, 0x00]),
    'main.tf.json': '{"resource": {"port_entity": {"a": {"teams": ["SRE"]}}}}',
    'values.tfvars': 'teams = ["SRE"]\n',
    'node_modules/x.tf': blueprint,
  };

  test('is named with its reason by codemod, and fails check until a baseline knows it', async () => {
    put(files);
    symlinkSync(join(folder, 'good.tf'), join(folder, 'linked.tf'));
    const shown = await called(['migrate', 'codemod', '.']);
    expect(shown.code).toBe(0);
    const listed = shown.err.split('\n').filter((line) => line.includes('This was not looked at'));
    expect(listed.map((line) => line.split(':')[0])).toEqual(Object.keys(reasons));
    for (const line of listed) expect(line).toMatch(reasons[line.split(':')[0]!]!);
    expect(shown.err).toContain('Passed by: node_modules.\n');
    expect(shown.err).toContain(
      '1 file to change; --write changes them. 0 places to look at by hand. 10 files could not be looked at.',
    );

    await called(['migrate', 'codemod', '.', '--write']);
    const checked = await called(['migrate', 'check', '.']);
    expect(checked.code).toBe(1);
    expect(checked.err).toContain('0 references would break, 0 other or known, 10 files could not be looked at.\n');
    expect(checked.out).toMatch(/^broken\.tf:1:1: This was not looked at: .* \[file\/not-read\]$/m);
    await called(['migrate', 'check', '.', '--write-baseline', 'known.json']);
    expect((await called(['migrate', 'check', '.', '--baseline', 'known.json'])).code).toBe(0);
  });

  if (process.getuid?.() !== 0) {
    test('a file without the right to read it is named', async () => {
      put({ 'secret.tf': blueprint });
      chmodSync(join(folder, 'secret.tf'), 0);
      expect((await called(['migrate', 'codemod', '.'])).err).toContain(
        'secret.tf: This was not looked at: it cannot be read (EACCES).\n',
      );
    });
  }
});

test('definitions in other formats are found', async () => {
  put({
    'blueprint.json': '{\n  "identifier": "pod",\n  "teamInheritance": { "path": "runs" }\n}\n',
    'list.yml': '- identifier: cart\n  blueprint: service\n  team: SRE\n',
    '.github/workflows/a.yml':
      'jobs:\n  a:\n    steps:\n      - uses: port-labs/port-github-action@v1\n        with:\n          team: SRE\n',
  });
  const { err } = await called(['migrate', 'codemod', '.']);
  expect(
    err,
  ).toBe(`.github/workflows/a.yml:6:17: Writes "SRE" as the team: it must be an identifier, and no such team is known.
blueprint.json:3:4: The inheritance of teams is replaced by ownership.
list.yml:3:9: Writes "SRE" as the team: it must be an identifier, and no such team is known.
0 files to change; --write changes them. 3 places to look at by hand.
`);
});

test('a change of a part of what is written is made, and the rest listed', async () => {
  put({ 'port.yml': 'identifier: cart\nblueprint: service\nteam:\n  - SRE # on call\n  - Nobody\n' });
  const { files } = await scanFolder(folder, { ...nobody, teams: [{ title: 'SRE', identifier: 'sre' }] });
  const [{ source, edits, findings } = { source: '', edits: [], findings: [] }] = files;
  expect(applyTextEdits(source, edits)).toBe(source.replace('SRE #', 'sre #'));
  expect(findings.filter(({ isEdited }) => !isEdited).map(({ message }) => message)).toEqual([
    expect.stringContaining('a part of it'),
  ]);
});

test('the example of the guide prints what the guide shows', async () => {
  const guide = readFileSync(new URL('../../../../../docs/guides/users-and-teams-report.md', import.meta.url), 'utf8');
  const shown = (language: string): string => new RegExp(`^\`\`\`${language}\n([^]*?)^\`\`\`$`, 'm').exec(guide)![1]!;
  put({ 'main.tf': shown('hcl') });
  const { out, err } = await called(['migrate', 'codemod', '.']);
  expect(out).toBe(shown('diff'));
  expect(err).toContain('1 file to change');
  await called(['migrate', 'codemod', '.', '--write']);
  expect((await called(['migrate', 'codemod', '.'])).out).toBe('');
});

test('git apply makes of what is shown what --write makes', async () => {
  const gap = '\n# unchanged\n'.repeat(20);
  put({ 'main.tf': `${blueprint}${gap}${blueprint.replaceAll('"a"', '"b"')}`, 'last.tf': blueprint.trimEnd() });
  const { out } = await called(['migrate', 'codemod', '.']);
  expect(out.match(/^@@ /gm)).toHaveLength(3);
  const read = () => ['main.tf', 'last.tf'].map((name) => readFileSync(join(folder, name), 'utf8'));
  const before = read();
  await called(['migrate', 'codemod', '.', '--write']);
  const written = read();
  put(Object.fromEntries(['main.tf', 'last.tf'].map((name, index) => [name, before[index] ?? ''])));
  execFileSync('git', ['apply', '-'], { cwd: folder, input: out });
  expect(read()).toEqual(written);
  expect(written).not.toEqual(before);
});

describe('terraform validate', () => {
  test('is not asked where it is not installed, or the folder is not initialized', async () => {
    put({ 'main.tf': blueprint, 'other/main.tf': blueprint });
    mkdirSync(join(folder, '.terraform'));
    const { code, err } = await called(['migrate', 'codemod', '.', '--write'], { PATH: folder });
    expect(code).toBe(0);
    expect(err).toContain('Only the syntax was checked: Terraform is not installed here.\n');
    expect(err).toContain('Only the syntax was checked: terraform init was not run in other.\n');
  });

  /** A provider built into Terraform, so that nothing is downloaded; it knows no blueprints. */
  const builtIn = (body: string): string =>
    `terraform {\n  required_providers {\n    terraform = { source = "terraform.io/builtin/terraform" }\n  }\n}\n\nresource "terraform_blueprint" "a" {\n${body}}\n`;
  const environment = { PATH: process.env['PATH'] ?? '' };

  if (hasTerraform()) {
    test('tells new errors from those that were there before', async () => {
      put({ 'main.tf': builtIn('  identifier = "a"\n  team_inheritance = { path = "x" }\n') });
      execFileSync('terraform', ['init', '-input=false'], { cwd: folder, stdio: 'pipe' });
      // without downloads, init creates no folder
      mkdirSync(join(folder, '.terraform'), { recursive: true });
      const same = await called(['migrate', 'codemod', '.', '--write'], environment);
      expect(same.err).toContain('terraform validate refuses this folder as it did before.\n');
      expect(same.code).toBe(0);
      put({ 'main.tf': builtIn('  identifier = "_user"\n') });
      const other = await called(['migrate', 'codemod', '.', '--write'], environment);
      expect(other.code).toBe(1);
      expect(other.err).toMatch(
        /terraform validate refuses this folder now\.\nmain\.tf:7:10: .*terraform_system_blueprint/,
      );
      expect(readFileSync(join(folder, 'main.tf'), 'utf8')).toContain('resource "terraform_system_blueprint" "a"');
    });
  }
});
