import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { isAllowedLicence } from './lib/licences.ts';
import { acceptsNode, lockedPackages, type Manifest } from './lib/lock-file.ts';
import { filesUnder, top } from './lib/source-files.ts';

const nodeFloor = '20.19.0';
/** Works without its script: it only checks the prebuilt program. Installs run with --ignore-scripts. */
const mayHaveInstallScript = new Set(['esbuild']);

const locked = lockedPackages();
const manifests = [
  { path: 'package.json', text: readFileSync(join(top, 'package.json'), 'utf8') },
  ...filesUnder(['packages', 'bench', 'e2e'], /(^|\/)package\.json$/),
].map(({ path, text }) => ({ path, manifest: JSON.parse(text) as Manifest }));

interface Direct {
  readonly from: string;
  readonly name: string;
  readonly wanted: string;
}

const direct: Direct[] = manifests.flatMap(({ path, manifest }) =>
  [manifest.dependencies, manifest.devDependencies, manifest.optionalDependencies].flatMap((list) =>
    Object.entries(list ?? {}).map(([name, wanted]) => ({ from: path, name, wanted })),
  ),
);
const fromRegistry = direct.filter(({ name }) => !name.startsWith('@portolan/'));

describe('direct dependencies', () => {
  test('are pinned to one version', () => {
    const loose = direct.filter(({ wanted }) => !/^(npm:[\w@/.-]+@)?\d+\.\d+\.\d+(-[\w.]+)?$/.test(wanted));
    expect(loose.map(({ from, name, wanted }) => `${from}: ${name} ${wanted}`)).toEqual([]);
  });

  test('have one version in the whole repository', () => {
    const versions = new Map<string, Set<string>>();
    for (const { name, wanted } of fromRegistry) versions.set(name, (versions.get(name) ?? new Set()).add(wanted));
    const several = [...versions].filter(([, wanted]) => wanted.size > 1);
    expect(several.map(([name, wanted]) => `${name}: ${[...wanted].join(', ')}`)).toEqual([]);
  });

  test('are installed by the lock file as they are pinned', () => {
    const differing = fromRegistry.filter(({ from, name, wanted }) => {
      const inside = locked[`${from.replace(/package\.json$/, '')}node_modules/${name}`];
      return (inside ?? locked[`node_modules/${name}`])?.version !== wanted.replace(/^npm:.*@/, '');
    });
    expect(differing).toEqual([]);
  });

  test(`accept Node ${nodeFloor}`, () => {
    const refusing = fromRegistry.filter(({ name }) => {
      const range = locked[`node_modules/${name}`]?.engines?.node;
      return range !== undefined && !acceptsNode(range, nodeFloor);
    });
    expect(refusing.map(({ name }) => name)).toEqual([]);
  });
});

describe('the lock file', () => {
  test('allows only licences that may be passed on', () => {
    const others = Object.entries(locked).filter(([, { license = 'none', dev, devOptional }]) => {
      return !isAllowedLicence(license, dev || devOptional ? 'tool' : 'product');
    });
    expect(others.map(([path, { license }]) => `${path}: ${license ?? 'none'}`)).toEqual([]);
  });

  test('names no address, so that any mirror of the registry serves, and has a hash for each package', () => {
    const addressed = Object.entries(locked).filter(([, { resolved }]) => resolved !== undefined);
    expect(addressed.map(([path, { resolved }]) => `${path}: ${resolved}`)).toEqual([]);
    expect(Object.entries(locked).filter(([, { integrity }]) => !integrity)).toEqual([]);
  });

  // Without them `npm ci` refuses the lock file, or installs on another system what cannot run there.
  test('has the packages of every platform: if one is missing, pin a version whose platform packages are all published', () => {
    const missing = Object.entries(locked).flatMap(([path, { optionalDependencies = {} }]) =>
      Object.keys(optionalDependencies)
        .filter((name) => !foldersAbove(path).some((folder) => locked[`${folder}node_modules/${name}`]))
        .map((name) => `${path}: ${name}`),
    );
    expect(missing).toEqual([]);
  });

  test('has no install script beyond the known ones', () => {
    const scripted = Object.entries(locked).filter(([, { hasInstallScript }]) => hasInstallScript);
    const names = scripted.map(([path]) => path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length));
    expect(names.filter((name) => !mayHaveInstallScript.has(name))).toEqual([]);
  });
});

/** Where a package looks for another: inside itself, then beside each folder above it. */
function foldersAbove(path: string): string[] {
  const parts = path.split('node_modules/');
  return parts
    .map((_, index) => parts.slice(0, parts.length - index).join('node_modules/'))
    .map((folder, index) => (index === 0 ? `${folder}/` : folder));
}

test.each([
  ['>=18', true],
  ['>= 20', true],
  ['>=22', false],
  ['^20.19.0 || >=22.12.0', true],
  ['^22.12.0 || >=24', false],
  ['20 || >=22', true],
  ['18 || 19', false],
  ['>=14 <20', false],
  ['^20.20.0', false],
  ['~20.19', true],
  ['20.x', true],
  ['*', true],
])('the range %s: accepted is %s', (range, isAccepted) => {
  expect(acceptsNode(range, nodeFloor)).toBe(isAccepted);
});
