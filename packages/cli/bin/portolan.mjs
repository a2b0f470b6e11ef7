#!/usr/bin/env node
// Runs the built command line. In a clone that was never built it builds first, with the progress on stderr, so that
// `npx portolan … | …` passes on nothing but the answer.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const main = new URL('../dist/main.js', import.meta.url);
const builder = fileURLToPath(new URL('../../../tools/start.mjs', import.meta.url));

if (!existsSync(main) && existsSync(builder)) {
  const { status } = spawnSync(process.execPath, [builder, '--build-only'], { stdio: ['ignore', 2, 2] });
  if (status !== 0) process.exit(status ?? 1);
}
await import(main.href);
