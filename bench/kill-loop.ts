import { randomBytes } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { runKillLoop } from '../packages/server/test/kill-loop.ts';
import { newDataDir } from '../packages/server/test/product-process.ts';

// npm run kills -w @portolan/bench [-- invocations kills]; with DATABASE_URL on that PostgreSQL, which should be empty
const [invocations = 200, kills = 40] = process.argv.slice(2).map(Number);
const { DATABASE_URL } = process.env;
const dataDir = await newDataDir();
try {
  const environment = DATABASE_URL ? { DATABASE_URL, PORTOLAN_MASTER_KEY: randomBytes(32).toString('base64') } : {};
  const result = await runKillLoop({ dataDir, environment, invocations, kills, atOnce: 10, aliveMs: [500, 6000] });
  console.log(JSON.stringify(result, null, 2));
  process.exitCode = result.problems.length > 0 ? 1 : 0;
} finally {
  await rm(dataDir, { recursive: true, force: true });
}
