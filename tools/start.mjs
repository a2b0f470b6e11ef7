// `npm start`: installs and builds if needed, then becomes the server. The script says `exec` so that npm hands signals
// to this process and not to a shell in between; what follows `||` is for Windows, whose shell has no `exec`. The setting
// has glibc give memory back that was used once (decision 0211).
import { pathToFileURL } from 'node:url';
import { buildIfNeeded, installIfNeeded, requireNode } from './lib/prepare.mjs';
import { root } from './lib/root.mjs';

const say = (line) => process.stdout.write(`${line}\n`);

requireNode();
try {
  await installIfNeeded(say);
  await buildIfNeeded(say);
} catch (error) {
  process.stderr.write(`The start could not be prepared: ${error.message}\n`);
  process.exit(1);
}
// In this same process, so that signals reach the server and no second Node has to load.
if (!process.argv.includes('--build-only')) {
  await import(pathToFileURL(`${root}packages/server/dist/main.js`).href);
}
