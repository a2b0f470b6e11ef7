/**
 * Measures how much of real catalogs of Backstage is taken, and how much comes back as it was: a folder whose
 * subfolders are one repository each.
 *
 *   npx tsx --conditions=portolan-source bench/backstage-corpus.ts <folder> [--list]
 */
import { readdir, readFile, stat } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import {
  type Entity,
  EntityPolicies,
  FieldFormatEntityPolicy,
  NoForeignRootFieldsEntityPolicy,
  SchemaValidEntityPolicy,
} from '@backstage/catalog-model';
import {
  canonicalJson,
  exportDocuments,
  fileBytesMax,
  type JsonObject,
  mapDocuments,
  readCatalog,
  settleTargets,
} from '@portolan/backstage';
import { parseAllDocuments } from 'yaml';

const [folder, ...options] = process.argv.slice(2);
if (!folder) throw new Error('Name the folder of the corpus.');
const totals = {
  repositories: 0,
  withDocuments: 0,
  files: 0,
  skipped: 0,
  documents: 0,
  lossless: 0,
  legal: 0,
  legalTaken: 0,
  ms: 0,
};
const policy = EntityPolicies.allOf([
  new SchemaValidEntityPolicy(),
  new NoForeignRootFieldsEntityPolicy(),
  new FieldFormatEntityPolicy(),
]);
const kinds = new Map<string, number>();
const problems = new Map<string, number>();
const broken: string[] = [];

for (const repository of await readdir(folder)) {
  totals.repositories += 1;
  try {
    await measure(join(folder, repository), repository);
  } catch (error) {
    broken.push(`${repository}: ${(error as Error).stack}`);
  }
}
const refused = count('error');
const { documents, lossless } = totals;
console.log(JSON.stringify({ ...totals, ms: Math.round(totals.ms) }, null, 2));
console.log(`accepted ${share(documents, documents + refused)} of documents, lossless ${share(lossless, documents)}`);
console.log(`of the documents that Backstage takes: ${share(totals.legalTaken, totals.legal)}`);
console.log(`errors of our own: ${broken.length}`, broken.slice(0, 3));
console.log('kinds', Object.fromEntries([...kinds].sort(([, a], [, b]) => b - a)));
console.log('problems', Object.fromEntries([...problems].sort(([, a], [, b]) => b - a)));

async function measure(root: string, repository: string): Promise<void> {
  const paths = await listFiles(root);
  const begun = performance.now();
  const read = await readCatalog({
    paths,
    readText: async (path) => {
      const file = join(root, path);
      const { size } = await stat(file);
      return size > fileBytesMax ? undefined : readFile(file, 'utf8');
    },
  });
  const mapped = mapDocuments(read.documents);
  const { drafts } = settleTargets(mapped.drafts, new Set());
  const stored = JSON.parse(JSON.stringify(drafts)) as typeof drafts;
  const exported = exportDocuments(stored.map((draft) => ({ ...draft, team: draft.team ?? [] })));
  totals.ms += performance.now() - begun;
  const back = new Set(exported.documents.map(({ document }) => canonicalJson(document)));
  const doubles = mapped.problems.filter(({ code }) => code === 'defined_twice').length;
  if (read.documents.length > 0) totals.withDocuments += 1;
  totals.files += read.filesRead;
  totals.skipped += read.skipped.length;
  // One of two documents of a name is refused here as it is there; it is no loss of the way back.
  totals.documents += read.documents.length - doubles;
  const firsts = new Map(read.documents.toReversed().map((found) => [keyOf(found.document), found]));
  for (const { document } of firsts.values()) {
    add(kinds, document.kind);
    if (back.has(canonicalJson(document as unknown as JsonObject))) totals.lossless += 1;
    else if (options.includes('--list')) console.log(`lost in ${repository}: ${keyOf(document)}`);
  }
  const taken = new Set(read.documents.map(({ document }) => canonicalJson(document as unknown as JsonObject)));
  for (const path of paths.filter((one) => /\.ya?ml$/i.test(one))) {
    const text = await readFile(join(root, path), 'utf8');
    if (!/backstage\.io\//.test(text)) continue;
    for (const document of await legalDocuments(text)) {
      totals.legal += 1;
      if (taken.has(canonicalJson(document))) totals.legalTaken += 1;
      else if (options.includes('--list'))
        console.log(`not taken: ${repository}/${path}: ${canonicalJson(document).slice(0, 200)}`);
    }
  }
  for (const { severity, code, message, place } of [...read.problems, ...mapped.problems]) {
    add(problems, `${severity} ${code}`);
    if (options.includes('--list') && severity === 'error') {
      console.log(`${repository}/${place?.file}:${place?.line}: ${code}: ${message}`);
    }
  }
}

function keyOf({ kind, metadata }: { kind: string; metadata: JsonObject }): string {
  return `${kind}:${metadata['namespace'] ?? 'default'}/${metadata['name']}`.toLowerCase();
}

/** The documents of a file that Backstage's own model takes. */
async function legalDocuments(text: string): Promise<JsonObject[]> {
  const legal: JsonObject[] = [];
  for (const document of parseAllDocuments(text, { merge: true, logLevel: 'silent' })) {
    if (document.errors.length > 0) continue;
    try {
      const value = JSON.parse(JSON.stringify(document.toJSON())) as JsonObject;
      if (!/(^|\.)backstage\.io\//.test(String(value?.['apiVersion']))) continue;
      if (await policy.enforce(structuredClone(value) as unknown as Entity)) legal.push(value);
    } catch {
      // Backstage refuses it.
    }
  }
  return legal;
}

async function listFiles(root: string): Promise<string[]> {
  const entries = await readdir(root, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  return files.map((file) => relative(root, file).split(sep).join('/')).sort();
}

function add(counts: Map<string, number>, name: string): void {
  counts.set(name, (counts.get(name) ?? 0) + 1);
}

/** Documents and files that were refused, apart from those of a name that is there already. */
function count(severity: string): number {
  const counted = [...problems].filter(([name]) => name.startsWith(`${severity} `) && !name.endsWith('defined_twice'));
  return counted.reduce((sum, [, number]) => sum + number, 0);
}

function share(part: number, whole: number): string {
  return whole === 0 ? 'none' : `${((100 * part) / whole).toFixed(2)} % (${part} of ${whole})`;
}
