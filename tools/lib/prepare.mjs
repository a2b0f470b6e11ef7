import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { root } from './root.mjs';

const buildStamp = join(root, 'packages/server/dist/.build-stamp');

/** Ends the process with a sentence unless this Node is new enough. Runs before anything that needs a package. */
export function requireNode() {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
  if (major > 20 || (major === 20 && minor >= 19)) return;
  process.stderr.write(`Portolan needs Node 20.19 or newer; this is Node ${process.versions.node}.\n`);
  process.exit(1);
}

/** Installs exactly what the lock file names, if what is installed differs from it. */
export async function installIfNeeded(say) {
  if (isInstalled()) return;
  const seconds = stopwatch();
  say('Installing packages from the lock file (once; about half a minute) …');
  // Development packages are needed to build, whatever NODE_ENV says. No package here needs its install script.
  await npm(['ci', '--include=dev', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error']);
  say(`Installed in ${seconds()} s.`);
}

/**
 * Whether what is built was built from the sources as they are now.
 * @public the tests ask it
 */
export function isBuilt() {
  return isBuiltFrom(sourcesHash());
}

function isBuiltFrom(hash) {
  return existsSync(buildStamp) && readFileSync(buildStamp, 'utf8') === hash;
}

/** Builds if any source differs from those of the last build. */
export async function buildIfNeeded(say) {
  const wanted = sourcesHash();
  if (isBuiltFrom(wanted)) return;
  const seconds = stopwatch();
  say('Building …');
  const { build } = await import('../build.mjs');
  await build();
  writeFileSync(buildStamp, wanted);
  say(`Built in ${seconds()} s.`);
}

/** Starts measuring; the returned function tells the seconds since, with one decimal. */
export function stopwatch() {
  const started = performance.now();
  return () => ((performance.now() - started) / 1000).toFixed(1);
}

/** Runs npm; what it writes to stderr (errors, and its own progress on a terminal) is passed through. */
function npm(parameters) {
  return new Promise((resolve, reject) => {
    const child = spawn('npm', parameters, {
      cwd: root,
      stdio: ['ignore', 'ignore', 'inherit'],
      shell: process.platform === 'win32',
    });
    child.on('error', reject);
    child.on('exit', (code) => {
      if (code === 0) resolve();
      else reject(new Error(`"npm ${parameters.join(' ')}" failed.`));
    });
  });
}

/** npm writes what it installed to a lock file of its own; comparing the two also notices a plain `npm install`. */
function isInstalled() {
  const installedFile = join(root, 'node_modules/.package-lock.json');
  if (!existsSync(installedFile)) return false;
  const wanted = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')).packages;
  const installed = JSON.parse(readFileSync(installedFile, 'utf8')).packages;
  return Object.entries(wanted).every(([path, { version, optional, link }]) => {
    if (!path.includes('node_modules/')) return true;
    const found = installed[path];
    // Optional packages are the ones of other platforms.
    if (!found) return optional === true;
    return link ? found.link === true : found.version === version;
  });
}

function sourcesHash() {
  const hash = createHash('sha256');
  for (const file of sourceFiles()) {
    hash
      .update(`${relative(root, file)}\0`)
      .update(readFileSync(file))
      .update('\0');
  }
  return hash.digest('hex');
}

function sourceFiles() {
  const files = [join(root, 'tools/build.mjs'), join(root, 'package-lock.json')];
  const walk = (folder) => {
    for (const entry of readdirSync(folder, { withFileTypes: true })) {
      if (entry.name === 'dist' || entry.name === 'node_modules' || entry.name === 'test') continue;
      const path = join(folder, entry.name);
      if (entry.isDirectory()) walk(path);
      else if (!entry.name.endsWith('.test.ts')) files.push(path);
    }
  };
  walk(join(root, 'packages'));
  return files.sort();
}
