/** Where a list that is sorted by the time of asking goes on. */
export interface AskedPosition {
  readonly askedAt: Date;
  readonly id: string;
}

/** Opaque to callers. */
export function writeAskedCursor({ askedAt, id }: AskedPosition): string {
  return Buffer.from(JSON.stringify([askedAt.getTime(), id])).toString('base64url');
}

/** Undefined for what is no such cursor. */
export function readAskedCursor(cursor: string): AskedPosition | undefined {
  try {
    const [at, id] = JSON.parse(Buffer.from(cursor, 'base64url').toString()) as [number, string];
    const askedAt = new Date(at);
    const isMoment = Number.isSafeInteger(at) && !Number.isNaN(askedAt.getTime());
    return isMoment && typeof id === 'string' ? { askedAt, id } : undefined;
  } catch {
    return undefined;
  }
}
