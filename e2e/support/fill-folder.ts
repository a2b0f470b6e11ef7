import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { startOn } from './product.ts';

/** Lets the product fill one folder with the demo; every spec file works on copies of it. */
export default async function fillFolder(project: TestProject): Promise<() => Promise<void>> {
  const folder = await mkdtemp(join(tmpdir(), 'portolan-e2e-filled-'));
  const remove = (): Promise<void> => rm(folder, { recursive: true, force: true });
  try {
    const product = await startOn(folder);
    await product.stop();
  } catch (error) {
    await remove();
    throw error;
  }
  project.provide('filledFolder', folder);
  return remove;
}
