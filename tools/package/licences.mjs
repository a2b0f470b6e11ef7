import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../lib/root.mjs';
import { productionGraph } from './lock-graph.mjs';

const textFile = /^(licen[cs]e|copying|notice)/i;

/** What of others is in the product: one line for each package, then the licences and notices that came with them. */
export function thirdPartyLicences() {
  const lines = new Set();
  const texts = new Map();
  for (const [path, { name, version, license }] of productionGraph().packages) {
    const title = `${name}@${version}`;
    lines.add(`${title.padEnd(56)} ${license}`);
    // packages of other platforms are installed only there
    for (const text of textsIn(join(root, path))) texts.set(text, (texts.get(text) ?? new Set()).add(title));
  }
  const sections = [...texts].map(([text, titles]) => `${[...titles].join(', ')}\n\n${text}`);
  const head = 'Portolan contains these packages, under the licences named. The texts that came with them follow.\n';
  return [`${head}\n${[...lines].sort().join('\n')}\n`, ...sections].join(`\n${'-'.repeat(80)}\n\n`);
}

function textsIn(folder) {
  if (!existsSync(folder)) return [];
  const names = readdirSync(folder, { withFileTypes: true }).filter(
    (entry) => entry.isFile() && textFile.test(entry.name),
  );
  return names.map(({ name }) => `${readFileSync(join(folder, name), 'utf8').trim()}\n`);
}
