import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../lib/root.mjs';

/** What is shipped: the programs, and what runs in the browser. */
const shipped = ['packages/server', 'packages/cli', 'packages/portal'];

/**
 * The packages from the registry that the product contains, by the path where the lock file has them, each with the paths
 * of those it needs. Packages of other platforms are part of it.
 */
export function productionGraph() {
  const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'));
  const graph = new Map();
  const direct = new Set();
  const visit = (path) => {
    if (graph.has(path)) return;
    const needs = new Set();
    graph.set(path, { ...packages[path], name: packageName(path, packages[path]), needs });
    for (const name of neededBy(packages[path])) {
      const found = locate(packages, path, name);
      if (found === undefined) continue;
      const target = packages[found].link ? packages[found].resolved : found;
      needs.add(target);
      visit(target);
    }
  };
  for (const path of shipped) visit(path);
  for (const [path, { needs }] of graph) {
    if (!path.includes('node_modules/')) for (const need of needs) direct.add(need);
  }
  const isOurs = (path) => !path.includes('node_modules/');
  const own = [...graph].filter(([path]) => isOurs(path)).map(([, each]) => each);
  const foreign = new Map([...graph].filter(([path]) => !isOurs(path)).sort(([a], [b]) => (a < b ? -1 : 1)));
  return { packages: foreign, own, direct: [...direct].filter((path) => !isOurs(path)).sort() };
}

function neededBy({ dependencies = {}, optionalDependencies = {}, peerDependencies = {}, peerDependenciesMeta = {} }) {
  const peers = Object.keys(peerDependencies).filter((name) => !peerDependenciesMeta[name]?.optional);
  return [...Object.keys(dependencies), ...Object.keys(optionalDependencies), ...peers];
}

/** Looks as Node does: inside the package itself, then beside each folder above it. */
function locate(packages, path, name) {
  for (let folder = path; ; folder = folder.slice(0, Math.max(0, folder.lastIndexOf('/')))) {
    const candidate = `${folder}${folder === '' ? '' : '/'}node_modules/${name}`;
    if (packages[candidate]) return candidate;
    if (folder === '') return undefined;
  }
}

function packageName(path, { name }) {
  return name ?? path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length);
}
