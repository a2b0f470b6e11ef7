import { randomBytes } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { createTestDatabase, testEngine } from './database.ts';
import { runKillLoop } from './kill-loop.ts';
import { newDataDir } from './product-process.ts';

test('20 invocations survive random kills: each is the undisturbed one, or failed with a reason', async () => {
  const dataDir = await newDataDir();
  const database = testEngine === 'postgres' ? await createTestDatabase() : undefined;
  const masterKey = randomBytes(32).toString('base64');
  const environment = database ? { ...database.environment, PORTOLAN_MASTER_KEY: masterKey } : {};
  try {
    const result = await runKillLoop({
      dataDir,
      environment,
      invocations: 20,
      atOnce: 4,
      kills: 4,
      aliveMs: [300, 2500],
    });
    expect(result.problems).toEqual([]);
    expect(result.complete + result.failed).toBe(20);
    expect(result.kills).toBeGreaterThan(0);
  } finally {
    await database?.drop();
    await rm(dataDir, { recursive: true, force: true });
  }
}, 300_000);
