import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { top } from './source-files.ts';

const { isBuilt } = (await import(join(top, 'tools/lib/prepare.mjs'))) as { isBuilt: () => boolean };
let built: boolean | undefined;

/**
 * What Node is given to run one of our programs. It is the built one if that was built from the sources as they are:
 * it starts in half the time. Otherwise the sources run themselves.
 */
export function programArguments(name: 'server' | 'cli', program = 'main'): readonly string[] {
  built ??= isBuilt();
  if (built) return [join(top, 'packages', name, `dist/${program}.js`)];
  const loader = pathToFileURL(createRequire(import.meta.url).resolve('tsx')).href;
  return ['--conditions=portolan-source', '--import', loader, join(top, 'packages', name, `src/${program}.ts`)];
}
