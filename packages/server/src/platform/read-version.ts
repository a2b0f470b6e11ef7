import { AppError } from './errors.ts';

interface VersionedRow {
  readonly identifier: string;
  readonly updatedAt: Date;
}

/** The moment of its last change tells a thing from how it was before. @throws AppError `stale_version` for another one */
export function assertReadVersion(
  what: string,
  { identifier, updatedAt }: VersionedRow,
  expected: string | undefined,
): void {
  if (expected === undefined || Date.parse(expected) === updatedAt.getTime()) return;
  const version = updatedAt.toISOString();
  throw new AppError('stale_version', `The ${what} "${identifier}" was changed at ${version}, after you read it`, {
    details: { version },
  });
}

/** The moment of a change: always after the last one, whatever the clock says, so that no two states look the same. */
export function momentOfChange({ updatedAt }: Pick<VersionedRow, 'updatedAt'>, now: Date): Date {
  return now > updatedAt ? now : new Date(updatedAt.getTime() + 1);
}
