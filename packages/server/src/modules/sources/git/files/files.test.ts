import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { mayDefineApi, readApiDefinition } from './api-definition.ts';
import { compileGlob } from './path-pattern.ts';
import { neighbourPath, readPortFile } from './port-file.ts';
import { presentReadme } from './readme.ts';

const files: Record<string, string> = { 'module1/README.md': '# One', 'a/b/spec.json': '{"x":1}' };
const read = (text: string, path = 'a/b/port.yml') =>
  readPortFile(path, text, async (each) => (each === 'big' ? 'too_large' : files[each]));

describe('port.yml', () => {
  test('one entity, a list and several documents are all read, with their lines', async () => {
    expect((await read('identifier: a\nblueprint: service\n')).entities).toMatchObject([{ identifier: 'a', line: 1 }]);
    const text =
      '- identifier: a\n  blueprint: service\n- identifier: 7\n  blueprint: service\n---\nidentifier: c\nblueprint: x\n';
    const { entities, isWhole } = await read(text);
    expect(entities.map(({ identifier, line }) => [identifier, line])).toEqual([
      ['a', 1],
      ['7', 3],
      ['c', 6],
    ]);
    expect(isWhole).toBe(true);
  });

  test('null stays null and what is left out stays out', async () => {
    const { entities } = await read(
      'identifier: a\nblueprint: service\nteam: null\nrelations: null\nproperties:\n  tier: null\n  other: 1\n',
    );
    expect(entities[0]?.body).toEqual({
      identifier: 'a',
      blueprint: 'service',
      team: null,
      relations: null,
      properties: { tier: null, other: 1 },
    });
  });

  test('file:// is the content of the file, from the root or the folder', async () => {
    const { entities, problems } = await read(
      'identifier: a\nblueprint: s\nproperties:\n  readme: file://module1/README.md\n  spec: file://./spec.json\n  up: file://../b/spec.json\n',
    );
    expect(problems).toEqual([]);
    expect(entities[0]?.body['properties']).toEqual({ readme: '# One', spec: '{"x":1}', up: '{"x":1}' });
  });

  test('a file that is named a thousand times does not become a gigabyte', async () => {
    const large = 'x'.repeat(1024 * 1024);
    const lines = Array.from({ length: 1_000 }, (_, at) => `  p${at}: file://large\n`).join('');
    const file = await readPortFile(
      'port.yml',
      `identifier: a\nblueprint: s\nproperties:\n${lines}`,
      async () => large,
    );
    expect(Object.keys(file.entities[0]?.body['properties'] as object)).toHaveLength(8);
    expect([file.problems.length, file.isWhole]).toEqual([992, false]);
  });

  test('a file that cannot be read leaves its property alone and says so', async () => {
    const { entities, problems, isWhole } = await read(
      'identifier: a\nblueprint: s\nproperties:\n  a: file:///etc/passwd\n  b: file://../../../x\n  c: file://none\n  d: file://big\n',
    );
    expect(entities[0]?.body['properties']).toEqual({});
    expect(problems.map(({ place }) => place?.path)).toEqual(['a', 'b', 'c', 'd'].map((key) => `/properties/${key}`));
    expect(isWhole).toBe(false);
  });

  test('what is wrong is said with file, line and column, and the rest is read', async () => {
    const broken = await read('identifier: a\n  blueprint: [\n');
    expect(broken).toMatchObject({ entities: [], isWhole: false });
    expect(broken.problems[0]?.place).toMatchObject({ file: 'a/b/port.yml', line: expect.any(Number) });
    const text = '- identifier: a\n- blueprint: x\n  identifier: b\n- 5\n- blueprint: x\n  identifier: b\n';
    const { entities, problems } = await read(text);
    expect(entities.map(({ identifier }) => identifier)).toEqual(['b']);
    expect(problems.map(({ code, place }) => [code, place?.line])).toEqual([
      ['not_an_entity', 1],
      ['not_an_entity', 4],
      ['defined_twice', 5],
    ]);
  });

  test('a bomb of aliases is refused', async () => {
    const levels = Array.from({ length: 9 }, (_, level) => {
      const inside = level === 0 ? '"x"' : Array.from({ length: 9 }, () => `*a${level - 1}`).join(', ');
      return `a${level}: &a${level} [${inside}]`;
    });
    expect((await read(levels.join('\n'))).problems).toMatchObject([{ code: 'unreadable_file' }]);
  });

  test('any text is read without a failure', async () => {
    await fc.assert(
      fc.asyncProperty(fc.oneof(fc.string(), fc.json()), async (text) => {
        expect(Array.isArray((await read(text)).entities)).toBe(true);
      }),
    );
  });

  test('no reference leaves the repository', () => {
    const part = fc.constantFrom('..', '.', '', 'a', 'b');
    fc.assert(
      fc.property(fc.array(part), fc.array(part), (from, to) => {
        expect(neighbourPath(from.join('/'), to.join('/')) ?? 'x').not.toMatch(/(^|\/)\.\.(\/|$)|^\//);
      }),
    );
  });
});

describe('API definitions', () => {
  test.each([
    ['openapi.yaml', 'openapi: 3.1.0\ninfo: {title: Pay, version: "2"}\n', 'openapi', '3.1.0', 'Pay'],
    ['a/swagger.json', '{"swagger":"2.0","info":{"title":"Old"}}', 'openapi', '2.0', 'Old'],
    ['asyncapi.yml', 'asyncapi: 2.6.0\ninfo: {title: Events}', 'asyncapi', '2.6.0', 'Events'],
    ['pay.proto', 'syntax = "proto3";\nservice Pay {\n}', 'grpc', 'proto3', 'Pay'],
    ['schema.graphql', 'type Query { a: Int }', 'graphql', null, null],
  ])('%s', (path, text, format, version, title) => {
    expect(mayDefineApi(path)).toBe(true);
    expect(readApiDefinition(path, text)).toMatchObject({ format, version, info: { title } });
  });

  test.each([
    ['openapi.yaml', 'a: 1'],
    ['openapi.yaml', 'openapi: 4.0'],
    ['openapi.yaml', '{{ not yaml'],
    ['pay.proto', 'message A {}'],
  ])('%s is none by its content: %s', (path, text) => {
    expect(readApiDefinition(path, text)).toBeUndefined();
  });

  test.each(['node_modules/x/openapi.yaml', 'test/fixtures/swagger.json', 'openapi.ts'])('%s is not read', (path) => {
    expect(mayDefineApi(path)).toBe(false);
  });
});

describe('readme', () => {
  const addresses = { page: 'https://h/r/src/commit/1', raw: 'https://h/r/raw/commit/1' };
  const present = (text: string) => presentReadme('docs/README.md', text, addresses);
  test.each([
    ['[a](b.md)', `[a](${addresses.page}/docs/b.md)`],
    ['[a](../x/b.md#part "t")', `[a](${addresses.page}/x/b.md#part "t")`],
    ['![i](/img/a.png)', `![i](${addresses.raw}/img/a.png)`],
    ['[![i](a.png)](LICENSE)', `[![i](${addresses.raw}/docs/a.png)](${addresses.page}/docs/LICENSE)`],
    ['[a](https://x.y) [b](#c) [d](mailto:x@y)', '[a](https://x.y) [b](#c) [d](mailto:x@y)'],
    ['[ref]: ./b.md', `[ref]: ${addresses.page}/docs/b.md`],
    [
      '<img width="1" src="a.png"> <a href="b">',
      `<img width="1" src="${addresses.raw}/docs/a.png"> <a href="${addresses.page}/docs/b">`,
    ],
    ['`[a](b)` \\[a](b)', '`[a](b)` \\[a](b)'],
    ['```\n[a](b)\n```\n[a](b)', `\`\`\`\n[a](b)\n\`\`\`\n[a](${addresses.page}/docs/b)`],
    ['[a](../../../b)', '[a](../../../b)'],
  ])('%s', (text, expected) => {
    expect(present(text)).toBe(expected);
  });

  test('other formats are shown as text', () => {
    expect(presentReadme('README.rst', 'Title\n=====', addresses)).toBe('````text\nTitle\n=====\n````');
  });
});

test.each([
  ['**/port.yml', 'port.yml', true],
  ['**/port.yml', 'a/b/port.yml', true],
  ['**/port.yml', 'a/support.yml', false],
  ['apps/*/port.{yml,yaml}', 'apps/x/port.yaml', true],
  ['apps/*', 'apps/x/y', false],
  ['/a/**', 'a/b/c', true],
  ['a?c', 'a/c', false],
])('the glob %s means %s: %s', (glob, path, isMeant) => {
  expect(compileGlob(glob)(path)).toBe(isMeant);
});
