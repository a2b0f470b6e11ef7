import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { filesUnder, top } from './lib/source-files.ts';

const pages = [
  ...readdirSync(top)
    .filter((name) => name.endsWith('.md'))
    .map((path) => ({ path, text: readFileSync(join(top, path), 'utf8') })),
  ...filesUnder(['docs', '.changes', 'packages', 'bench'], /\.md$/),
];

test('every link between documents leads somewhere', () => {
  const broken = pages.flatMap(({ path, text }) =>
    linksIn(text)
      .filter((link) => !leadsSomewhere(path, link))
      .map((link) => `${path}: ${link}`),
  );
  expect(broken).toEqual([]);
});

test('the index lists every guide and every reference page', () => {
  const index = pages.find(({ path }) => path === 'docs/README.md')?.text ?? '';
  const listed = pages
    .filter(({ path }) => /^docs\/(?:guides|reference)\/[^/]+$/.test(path))
    .map(({ path }) => path.slice('docs/'.length));
  expect(listed.filter((page) => !index.includes(`(${page})`))).toEqual([]);
});

test('the map of the server lists every module', () => {
  const folder = 'packages/server/src/modules';
  const map = pages.find(({ path }) => path === `${folder}/README.md`)?.text ?? '';
  const modules = readdirSync(join(top, folder), { withFileTypes: true }).filter((entry) => entry.isDirectory());
  expect(modules.map(({ name }) => name).filter((name) => !map.includes(`](${name}/README.md)`))).toEqual([]);
});

test('no two decisions have one number', () => {
  const names = readdirSync(join(top, 'docs/decisions')).filter((name) => /^\d{4}-/.test(name));
  const numbers = names.map((name) => name.slice(0, 4));
  expect(numbers.filter((number, index) => numbers.indexOf(number) !== index)).toEqual([]);
});

test('a note of a change has a kind and one sentence', () => {
  const notes = pages.filter(({ path }) => path.startsWith('.changes/') && !path.endsWith('README.md'));
  const wrong = notes.filter(({ text }) => !/^(added|changed|fixed|removed|security): [A-Z`].*\.\n$/.test(text));
  expect(wrong.map(({ path }) => path)).toEqual([]);
});

function linksIn(text: string): string[] {
  const prose = text.replaceAll(/```[\s\S]*?```/g, '').replaceAll(/`[^`\n]*`/g, '');
  return [...prose.matchAll(/\]\(([^)\s]+)\)/g)].map(([, link]) => link ?? '').filter((link) => !/^[a-z]+:/.test(link));
}

function leadsSomewhere(page: string, link: string): boolean {
  const [path = '', anchor] = link.split('#');
  const target = path === '' ? join(top, page) : join(top, dirname(page), path);
  if (!existsSync(target)) return false;
  return anchor === undefined || !target.endsWith('.md') || listAnchors(readFileSync(target, 'utf8')).includes(anchor);
}

/** Anchors as the usual renderers make them from headings. */
function listAnchors(text: string): string[] {
  return [...text.matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
      .trim()
      .replaceAll(' ', '-'),
  );
}
