import { describe, inject } from 'vitest';

/**
 * Tests that one engine proves for both. They are not registered on the other, so that a run without skips is
 * possible; the reason says why the other engine has nothing to add.
 */
export function onlyOn(engine: 'embedded' | 'postgres', reason: string, define: () => void): void {
  if (inject('testDatabase').engine === engine) describe(`on ${engine} (${reason})`, define);
}
