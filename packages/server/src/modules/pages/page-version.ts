import { AppError } from '../../platform/errors.ts';
import type { StoredPage } from './page.ts';

/** The moment of its last change tells a page from how it was before. @throws AppError `stale_version` for another one */
export function assertPageVersion({ identifier, updatedAt }: StoredPage, expected: string | undefined): void {
  if (expected === undefined || Date.parse(expected) === updatedAt.getTime()) return;
  const version = updatedAt.toISOString();
  throw new AppError('stale_version', `The page "${identifier}" was changed at ${version}, after you read it`, {
    details: { version },
  });
}

/** When a page is changed: later than its last change, whatever the clock says, so that no two states look the same. */
export function momentOfChange({ updatedAt }: StoredPage, now: Date): Date {
  return now > updatedAt ? now : new Date(updatedAt.getTime() + 1);
}
