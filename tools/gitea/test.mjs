// Builds Gitea from its Go module, once for each version in go.mod, and runs the tests that need a real Git host.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { root } from '../lib/root.mjs';

const module = 'code.gitea.io/gitea';
const folder = join(root, 'tools/gitea');
const environment = { ...process.env, GOFLAGS: '-mod=readonly' };

function run(program, parameters, options = {}) {
  const { status, stdout, error } = spawnSync(program, parameters, { cwd: folder, env: environment, ...options });
  if (error) throw error;
  if (status !== 0) process.exit(status ?? 1);
  return String(stdout ?? '').trim();
}

/** The program that go.mod describes; kept between runs, since building takes some minutes. */
function buildGitea() {
  const version = createHash('sha256')
    .update(readFileSync(join(folder, 'go.mod')))
    .digest('hex')
    .slice(0, 16);
  const kept = join(process.env.XDG_CACHE_HOME ?? join(homedir(), '.cache'), 'portolan');
  const binary = join(kept, `gitea-${version}`);
  if (existsSync(binary)) return binary;
  mkdirSync(kept, { recursive: true });
  const fresh = `${binary}.${process.pid}`;
  process.stdout.write('Building Gitea; this takes some minutes the first time.\n');
  run('go', ['build', '-tags', 'sqlite sqlite_unlock_notify', '-o', fresh, module], { stdio: 'inherit' });
  renameSync(fresh, binary);
  return binary;
}

const binary = buildGitea();
// templates and translations lie beside the sources
const files = run('go', ['list', '-m', '-f', '{{.Dir}}', module]);
const vitest = [join(root, 'node_modules/.bin/vitest'), 'run', '--project', 'gitea', '--maxWorkers', '1'];
run(process.execPath, [...vitest, ...process.argv.slice(2)], {
  cwd: root,
  stdio: 'inherit',
  env: { ...process.env, PORTOLAN_TEST_GITEA: JSON.stringify({ binary, files }) },
});
