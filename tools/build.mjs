import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { basename, dirname, isAbsolute, join } from 'node:path';
import { rolldown } from 'rolldown';
import { build as buildWithVite } from 'vite';
import { root } from './lib/root.mjs';

/** jq starts its thread from the file of this name beside the bundle it is in, so every program brings one. */
const jqThread = { worker: 'packages/jq/src/worker.ts' };

/**
 * What is built: entry name → source. The libraries' entries are those of their `exports`; the programs' are here.
 */
const targets = [
  { package: 'contract', platform: 'neutral', entries: exportedEntries('contract') },
  { package: 'jq', platform: 'neutral', entries: exportedEntries('jq') },
  { package: 'archives', platform: 'neutral', entries: exportedEntries('archives') },
  { package: 'tables', platform: 'neutral', entries: exportedEntries('tables') },
  { package: 'team-references', platform: 'neutral', entries: exportedEntries('team-references') },
  { package: 'evaluation', platform: 'neutral', entries: exportedEntries('evaluation') },
  { package: 'backstage', platform: 'neutral', entries: exportedEntries('backstage') },
  {
    package: 'server',
    platform: 'node',
    entries: {
      main: 'packages/server/src/main.ts',
      backup: 'packages/server/src/backup.ts',
      distribute: 'packages/server/src/distribute.ts',
      move: 'packages/server/src/move.ts',
      upgrade: 'packages/server/src/upgrade.ts',
      'embedded-worker': 'packages/server/src/platform/db/embedded-worker.ts',
      ...jqThread,
    },
  },
  { package: 'cli', platform: 'node', entries: { main: 'packages/cli/src/main.ts', ...jqThread } },
];

/** Builds every package into its `dist`: one file per entry and shared chunks, with source maps. */
export async function build() {
  for (const target of targets) await buildPackage(target);
  await asProduction(() =>
    buildWithVite({ configFile: join(root, 'packages/portal/vite.config.ts'), logLevel: 'warn' }),
  );
}

/** A test that has to build first says `test` in the environment, and React would come with its checks. */
async function asProduction(work) {
  const given = process.env.NODE_ENV;
  process.env.NODE_ENV = 'production';
  try {
    await work();
  } finally {
    if (given === undefined) delete process.env.NODE_ENV;
    else process.env.NODE_ENV = given;
  }
}

/** Builds the server and the command line with everything they import, except the packages that cannot be bundled. */
export async function buildAlone(folder, unbundled) {
  const isUnbundled = (id) => unbundled.some((name) => id === name || id.startsWith(`${name}/`));
  for (const target of targets.filter(({ platform }) => platform === 'node')) {
    await buildPackage(target, {
      folder: join(folder, 'packages', target.package, 'dist'),
      external: isUnbundled,
      sourcemap: false,
    });
  }
}

async function buildPackage({ package: name, platform, entries }, options = {}) {
  const { folder = join(root, 'packages', name, 'dist'), external = isInstalledPackage, sourcemap = true } = options;
  const bundle = await rolldown({
    cwd: root,
    input: entries,
    platform,
    external,
    transform: { target: 'node20.19' },
    plugins: platform === 'node' ? [latinSources] : [],
    // `import` or `require` is added by who asks: packages have a form for each
    resolve: { conditionNames: ['portolan-source', 'node', 'default'] },
  });
  // Steady file names: a running server can still load a part of itself after a rebuild of the same sources.
  const { output } = await bundle.write({
    dir: folder,
    format: 'esm',
    sourcemap,
    entryFileNames: '[name].js',
    chunkFileNames: '[name].js',
    // a running program keeps its sources in memory
    comments: { legal: true, annotation: true, jsdoc: platform !== 'node' },
  });
  await bundle.close();
  const written = new Set(output.flatMap(({ fileName }) => [fileName, `${fileName}.map`]));
  for (const file of readdirSync(folder)) if (!written.has(file)) rmSync(join(folder, file), { recursive: true });
}

/**
 * Escapes letters beyond Latin-1 in a program that does the same then: in strings, templates, regular expressions, names
 * and comments. With a single one of them, V8 keeps the whole source in memory at two bytes a letter, and the server's
 * are four megabytes. What is shown as it is written stays, and costs that: `String.raw`, and letters behind a backslash.
 */
export function escapeLetters(code) {
  return code.replace(/String\.raw`(?:\\.|[^`\\])*`|(\\*)([\u0100-\uffff])/gs, (all, slashes, letter) =>
    letter === undefined || slashes.length % 2 === 1
      ? all
      : `${slashes}\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

const latinSources = {
  name: 'latin-sources',
  generateBundle: (_options, bundle) => {
    for (const chunk of Object.values(bundle)) {
      if (chunk.type !== 'chunk') continue;
      chunk.code = escapeLetters(chunk.code);
    }
  },
};

/**
 * Packages from the registry stay outside the bundles; ours (`@portolan/…`) are bundled from their sources, and so are the
 * bundler's own helpers for syntax that Node 20 lacks.
 */
function isInstalledPackage(id) {
  return !id.startsWith('.') && !isAbsolute(id) && !/^@(portolan|oxc-project)\//.test(id);
}

/** Entry name → source of everything a package exports; `*` stands for every source file that is no test. */
function exportedEntries(name) {
  const folder = join('packages', name);
  const { exports } = JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8'));
  const sources = Object.values(exports).flatMap(({ 'portolan-source': source }) =>
    basename(source) === '*.ts' ? sourcesIn(join(folder, dirname(source))) : [join(folder, source)],
  );
  return Object.fromEntries(sources.map((source) => [basename(source, '.ts'), source]));
}

function sourcesIn(folder) {
  const names = readdirSync(join(root, folder)).filter((name) => name.endsWith('.ts'));
  return names.filter((name) => !/\.test(-d)?\.ts$/.test(name)).map((name) => join(folder, name));
}
