import { describe, inject } from 'vitest';
import { copyTemplate, type TestDatabase, type TestDatabaseOptions } from './copy-template.ts';

export type { TestDatabase } from './copy-template.ts';

/** The engine of this project: `embedded` or `postgres`. */
export const testEngine = inject('testDatabase').engine;

/** A copy of the template that this run of the tests made. */
export function createTestDatabase(options: TestDatabaseOptions = {}): Promise<TestDatabase> {
  return copyTemplate(inject('testDatabase'), options);
}

/**
 * Tests that only one engine can run. They are not registered on the other, so that a run without skips is possible;
 * the reason says why the other engine has nothing to prove there.
 */
export function onlyOn(engine: 'embedded' | 'postgres', reason: string, define: () => void): void {
  if (testEngine === engine) describe(`on ${engine} (${reason})`, define);
}
