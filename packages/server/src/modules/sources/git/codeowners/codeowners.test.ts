import fc from 'fast-check';
import ignore from 'ignore';
import { describe, expect, test } from 'vitest';
import { countFiles, decideOwner, readTeamName } from './decide-owner.ts';
import { parseCodeowners } from './parse-codeowners.ts';

const owners = (text: string, path: string, dialect: Parameters<typeof parseCodeowners>[1] = 'github') =>
  parseCodeowners(text, dialect).ownersOf(path);

describe('GitHub and Bitbucket', () => {
  test.each([
    ['*', 'a/b/c.ts', true],
    ['*.js', 'deep/down/a.js', true],
    ['*.js', 'a.jsx', false],
    ['/build/logs/', 'build/logs/x/y.log', true],
    ['/build/logs/', 'other/build/logs/y.log', false],
    ['docs/*', 'docs/getting-started.md', true],
    ['docs/*', 'docs/build-app/troubleshooting.md', false],
    ['docs/*', 'other/docs/a.md', false],
    ['apps/', 'a/apps/b/c.ts', true],
    ['apps/', 'apps', false],
    ['/docs/', 'docs/a/b.md', true],
    ['**/logs', 'deeply/nested/logs', true],
    ['**/logs', 'build/logs/a/b.log', true],
    ['/apps/github', 'apps/github/x', true],
    ['/apps/github', 'apps/github', true],
    ['/apps/github', 'apps/githubber', false],
    ['src/**/*.ts', 'src/a.ts', true],
    ['src/**/*.ts', 'src/a/b/c.ts', true],
    ['a\\ b/', 'a b/c', true],
    ['File.ts', 'file.ts', false],
    ['?.md', 'a.md', true],
    ['?.md', 'ab.md', false],
  ])('%s means %s: %s', (pattern, path, isOwned) => {
    expect(owners(`${pattern} @acme/team`, path)).toEqual(isOwned ? ['@acme/team'] : []);
    expect(owners(`${pattern} @acme/team`, path, 'bitbucket')).toEqual(isOwned ? ['@acme/team'] : []);
  });

  test('the last match decides, and a line without owners takes them away', () => {
    const text = '\uFEFF# all\r\n* @acme/all # comment\r\n/apps/ @octocat a@acme.example\r\n/apps/github\r\n';
    expect(owners(text, 'x')).toEqual(['@acme/all']);
    expect(owners(text, 'apps/x')).toEqual(['@octocat', 'a@acme.example']);
    expect(owners(text, 'apps/github/x')).toEqual([]);
  });

  test('lines that the host skips are faults with their line', () => {
    const read = parseCodeowners('* @a\n!x @b\n[a-z].ts @c', 'github');
    expect(read.faults.map(({ line }) => line)).toEqual([2, 3]);
    expect(read.ownersOf('x')).toEqual(['@a']);
  });

  test('a pattern means the paths that .gitignore means, but for folder/*', () => {
    const name = fc.constantFrom('a', 'b', 'ab', 'a.js', 'c.js');
    const part = fc.constantFrom('a', 'b', '*', 'a*', '*.js', '**', '?');
    const patterns = fc
      .tuple(fc.boolean(), fc.array(part, { minLength: 1, maxLength: 4 }), fc.boolean())
      .map(([isRooted, parts, isFolder]) => `${isRooted ? '/' : ''}${parts.join('/')}${isFolder ? '/' : ''}`)
      // the oracle takes two such stars in a row for one folder at least
      .filter((pattern) => !/\/\*$|\*\*\/?$|\*\*\/\*\*/.test(pattern));
    const paths = fc.array(name, { minLength: 1, maxLength: 4 }).map((names) => names.join('/'));
    fc.assert(
      fc.property(patterns, paths, (pattern, path) => {
        expect(owners(`${pattern} @x`, path).length > 0).toBe(ignore().add(pattern).ignores(path));
      }),
      { numRuns: 20_000 },
    );
  });
});

describe('GitLab', () => {
  const text = [
    '* @default',
    'internal/README.md @deep',
    '/docs/* @flat',
    '[Docs][2] @writers',
    '*.md',
    '/docs/ops.md @ops',
    '^[Optional]',
    '*.go @gophers',
    '!vendor.go',
    '[docs]',
    'guide.txt',
  ].join('\n');
  test.each([
    ['x.ts', ['@default']],
    ['a/internal/README.md', ['@deep', '@writers']],
    ['docs/a.ts', ['@flat']],
    ['docs/a/b.ts', ['@default']],
    ['docs/ops.md', ['@flat', '@ops']],
    ['main.go', ['@default', '@gophers']],
    ['vendor.go', ['@default']],
    ['a/guide.txt', ['@default']],
  ])('each section decides apart: %s', (path, expected) => {
    expect(owners(text, path, 'gitlab')).toEqual(expected);
  });
});

describe('Gitea and Forgejo', () => {
  test('patterns are regular expressions of the whole path, and every match counts', () => {
    const text = '.*\\.go @go @acme/backend\n!web/.* @server # all but web\ndocs/.* @docs\n(unclosed @x\nnobody';
    const read = parseCodeowners(text, 'gitea');
    expect(read.ownersOf('cmd/a.go')).toEqual(['@go', '@acme/backend', '@server']);
    expect(read.ownersOf('web/a.ts')).toEqual([]);
    expect(read.ownersOf('docs/x')).toEqual(['@server', '@docs']);
    expect(read.faults.map(({ line }) => line)).toEqual([4, 5]);
  });

  test('an expression that would take for ever ends', () => {
    expect(owners('(a+)+$ @x', `${'a'.repeat(5_000)}!`, 'gitea')).toEqual([]);
  });
});

test('stars without end take no time without end', () => {
  expect(owners(`${'*a'.repeat(200)}/${'**/'.repeat(200)}x @x`, `${'a'.repeat(2_000)}/b`)).toEqual([]);
});

test('any text is read without a failure', () => {
  fc.assert(
    fc.property(
      fc.string(),
      fc.constantFrom('github', 'gitlab', 'gitea', 'bitbucket'),
      fc.string(),
      (text, as, path) => {
        expect(Array.isArray(owners(text, path, as))).toBe(true);
      },
    ),
  );
});

describe('the owner of a repository', () => {
  const decide = (text: string, ...paths: string[]) => decideOwner(parseCodeowners(text, 'github'), paths).owner;
  test('is whoever owns everything, a team before a person', () => {
    expect(decide('* @ada @acme/payments', 'x')).toBe('@acme/payments');
    expect(decide('/* @ada\n/src @acme/src', 'src/a')).toBe('@ada');
  });
  test('else whoever owns most files', () => {
    const text = '*.ts @acme/web\n*.go @acme/core';
    expect(decide(text, 'a.ts', 'b.ts', 'c.ts', 'd.go', 'e.go')).toBe('@acme/web');
    expect(decide(text, 'a.ts', 'b.go')).toBeNull();
    expect(countFiles(parseCodeowners(text, 'github'), ['a.ts', 'b.go', 'c.md'])).toEqual(
      new Map([
        ['@acme/web', 1],
        ['@acme/core', 1],
      ]),
    );
  });
});

test.each([
  ['@acme/payments', 'payments'],
  ['@acme/group/sub', 'sub'],
  ['@ada', undefined],
  ['ada@acme.example', undefined],
])('the team of %s is %s', (owner, team) => {
  expect(readTeamName(owner)).toBe(team);
});

describe('a file that costs much', () => {
  const paths = Array.from({ length: 20_000 }, (_, at) => `${'a'.repeat(60)}/${at}/${'a'.repeat(60)}`);
  const within = (seconds: number, work: () => void) => {
    const begun = process.cpuUsage();
    work();
    expect(process.cpuUsage(begun).user / 1e6).toBeLessThan(seconds);
  };

  test.each(['github', 'gitlab'] as const)(
    'is read in bounded time for many files: %s',
    (dialect) => {
      const rule = `${dialect === 'gitlab' ? '!' : ''}/x/${'*a'.repeat(40)}b @acme/x`;
      const text = Array.from({ length: 20_000 }, () => rule).join('\n');
      within(20, () => {
        const codeowners = parseCodeowners(text, dialect);
        expect(countFiles(codeowners, paths).size).toBe(0);
      });
    },
    120_000,
  );

  test('has patterns that nobody writes left out, with their lines', () => {
    const { faults, entries } = parseCodeowners(`${'*a'.repeat(60)} @acme/x\n/${'a'.repeat(2_000)} @acme/y`, 'github');
    expect([faults.map(({ line }) => line), entries]).toEqual([[1, 2], []]);
  });
});
