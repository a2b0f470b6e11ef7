import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readCatalog } from '../src/index.ts';
import { readYaml } from '../src/read-yaml.ts';
import { createFiles } from './files.ts';

const head = 'apiVersion: backstage.io/v1alpha1\nkind: Component\n';
const codes = (text: string) => readYaml(text, 'a.yaml').problems.map(({ code }) => code);

test('a bomb of aliases is a problem, not gigabytes', () => {
  const lines = Array.from(
    { length: 9 },
    (_, i) => `${'abcdefghij'[i + 1]}: &${'abcdefghij'[i + 1]} [${Array(9).fill(`*${'abcdefghij'[i]}`).join(', ')}]`,
  );
  expect(codes(`a: &a [x]\n${lines.join('\n')}\n`)).toEqual(['alias_limit']);
});

test('many keys of a mapping take no more time than their number', () => {
  const text = Array.from({ length: 45_000 }, (_, i) => `k${i}: 1`).join('\n');
  const begun = process.cpuUsage();
  expect(codes(text)).toEqual([]);
  // compared with each other they took half a minute
  expect(process.cpuUsage(begun).user / 1e6).toBeLessThan(8);
}, 120_000);

test.each([
  ['values', `[${'1,'.repeat(250_000)}1]`],
  ['aliases', Array.from({ length: 5_000 }, (_, i) => `- &k${i} x\n- *k${i}`).join('\n')],
])('%s beyond measure are a problem', (_name, text) => {
  expect(codes(text)).toEqual(['invalid_yaml']);
});

test('a document nested a hundred thousand deep is a problem', () => {
  expect(codes(`a: ${'['.repeat(100_000)}`)).not.toEqual([]);
});

test('a file of more than 1 MiB is not read', () => {
  expect(codes(`a: ${'x'.repeat(1024 * 1024)}`)).toEqual(['file_too_large']);
});

test('documents beyond a thousand are left out, and said', () => {
  const { values, problems } = readYaml('---\na: 1\n'.repeat(1001), 'a.yaml');
  expect([values.length, problems.map(({ code }) => code)]).toEqual([1000, ['too_many']]);
});

test('a fault has its file, line and column, and the other documents are read', () => {
  const { values, problems } = readYaml('a: 1\n---\nb: 1\nb: 2\n---\nc: 3\n', 'a.yaml');
  expect(problems).toMatchObject([{ code: 'invalid_yaml', place: { file: 'a.yaml', line: 4, column: 1 } }]);
  expect(values.map(({ value }) => value)).toEqual([{ a: 1 }, { c: 3 }]);
});

test('any bytes are read without an error of our own', () => {
  fc.assert(
    fc.property(fc.oneof(fc.string({ unit: 'binary' }), fc.string()), (text) => {
      readYaml(text, 'a.yaml');
    }),
    { numRuns: 2000 },
  );
});

test('a name that is no text is a problem with its line', async () => {
  const { problems, documents } = await readCatalog(
    createFiles({ 'catalog-info.yaml': `${head}metadata:\n  name: 12\n` }),
  );
  expect(documents).toEqual([]);
  expect(problems).toMatchObject([
    {
      code: 'invalid_document',
      message: 'metadata.name must be text; put it in quotes.',
      place: { line: 4, column: 9 },
    },
  ]);
});

test('what the scaffolder has yet to fill in is passed over; elsewhere it is a problem', async () => {
  const text = `${head}metadata:\n  name: \${{ values.name }}\n`;
  const read = await readCatalog(
    createFiles({ 'template/skeleton/catalog-info.yaml': text, 'catalog-info.yaml': text }),
  );
  expect(read.skipped).toEqual(['template/skeleton/catalog-info.yaml']);
  expect(read.problems).toMatchObject([{ code: 'not_filled_in', place: { file: 'catalog-info.yaml' } }]);
});

test('Locations in a circle end, and each file is read once', async () => {
  const location = (name: string, target: string) =>
    `apiVersion: backstage.io/v1alpha1\nkind: Location\nmetadata: {name: ${name}}\nspec: {target: ${target}}\n`;
  const files = createFiles({
    'catalog-info.yaml': location('a', './b/b.yaml'),
    'b/b.yaml': location('b', '../catalog-info.yaml'),
  });
  const { documents, problems } = await readCatalog(files);
  expect(documents.map(({ document }) => document.metadata.name)).toEqual(['a', 'b']);
  expect(problems).toEqual([]);
});

test('no target leads out of the folder', async () => {
  const text = `apiVersion: backstage.io/v1alpha1\nkind: Location\nmetadata: {name: a}\nspec: {targets: [../../etc/passwd, /etc/passwd, 'file:///etc/passwd']}\n`;
  const asked: string[] = [];
  const files = createFiles({ 'catalog-info.yaml': text });
  const readText = (path: string) => {
    asked.push(path);
    return files.readText(path);
  };
  const { problems } = await readCatalog({ ...files, readText });
  expect(asked).toEqual(['catalog-info.yaml']);
  expect(problems.map(({ code }) => code)).toEqual(Array(3).fill('target_elsewhere'));
});

test('other YAML is not asked to be a document', async () => {
  const deployment =
    'apiVersion: apps/v1\nkind: Deployment\nmetadata:\n  annotations: {backstage.io/kubernetes-id: x}\n';
  const { documents, problems } = await readCatalog(
    createFiles({ 'deploy.yaml': deployment, 'mkdocs.yml': 'site_name: x' }),
  );
  expect([documents, problems]).toEqual([[], []]);
});

test('an owner comes from CODEOWNERS where nobody is named', async () => {
  const text = `${head}metadata: {name: a}\nspec: {type: service, lifecycle: production}\n`;
  const owner = { kind: 'group', namespace: 'default', name: 'core' };
  const { documents } = await readCatalog({ ...createFiles({ 'catalog-info.yaml': text }), ownerOf: () => owner });
  expect(documents[0]?.fileOwner).toEqual(owner);
});
