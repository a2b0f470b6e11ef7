// `npm run package`: writes output/package and packs it: one package that serves the product without a clone. The layout
// is that of the repository, so that every program finds beside it what it finds there.
import { spawnSync } from 'node:child_process';
import { chmodSync, cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { buildIfNeeded, installIfNeeded, requireNode } from './lib/prepare.mjs';
import { root } from './lib/root.mjs';
import { thirdPartyLicences } from './package/licences.mjs';
import { billOfMaterials } from './package/sbom.mjs';

/** WebAssembly with its data, and programs built for each platform: neither can be part of a bundle. */
const unbundled = ['@electric-sql/pglite', '@node-rs/argon2'];
const copied = [
  'LICENSE',
  'NOTICE',
  'docs/guides',
  'docs/reference',
  'packages/portal/dist',
  'packages/server/data',
  'packages/server/demo',
  'packages/server/migrations',
];

const say = (line) => process.stdout.write(`${line}\n`);
const readManifest = (folder) => JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8'));
const server = readManifest('packages/server');

requireNode();
await installIfNeeded(say);
await buildIfNeeded(say);
const output = join(root, 'output');
const folder = join(output, 'package');
rmSync(folder, { recursive: true, force: true });
mkdirSync(join(folder, 'bin'), { recursive: true });
const { buildAlone } = await import('./build.mjs');
await buildAlone(folder, unbundled);
for (const path of copied) cpSync(join(root, path), join(folder, path), { recursive: true });
cpSync(join(root, 'tools/package/portolan.mjs'), join(folder, 'bin/portolan.mjs'));
cpSync(join(root, 'tools/package/README.md'), join(folder, 'README.md'));
chmodSync(join(folder, 'bin/portolan.mjs'), 0o755);
write('THIRD-PARTY-LICENSES.txt', thirdPartyLicences());
writeJson('sbom.cdx.json', billOfMaterials(server.version));
writeJson('package.json', {
  name: 'portolan',
  version: server.version,
  description: readManifest('').description,
  license: server.license,
  type: 'module',
  bin: { portolan: 'bin/portolan.mjs' },
  engines: readManifest('').engines,
  dependencies: Object.fromEntries(unbundled.map((name) => [name, server.dependencies[name]])),
  publishConfig: { access: 'public', provenance: true },
});
const { status, stdout, stderr } = spawnSync('npm', ['pack', folder, '--json', '--pack-destination', output], {
  encoding: 'utf8',
  shell: process.platform === 'win32',
});
if (status !== 0) throw new Error(`npm pack failed: ${stderr}`);
const [{ filename, size, unpackedSize, files }] = JSON.parse(stdout);
const megabytes = (bytes) => `${(bytes / 1e6).toFixed(1)} MB`;
say(`output/${filename}: ${megabytes(size)}, ${megabytes(unpackedSize)} unpacked, ${files.length} files`);

function write(name, text) {
  writeFileSync(join(folder, name), text);
}

function writeJson(name, value) {
  write(name, `${JSON.stringify(value, null, 2)}\n`);
}
