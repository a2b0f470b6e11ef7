import { invalidRequest } from './errors.ts';

/** What a cursor remembers of the last entity of a page: its key, and the values it was sorted by. */
export interface Position {
  readonly key: number;
  readonly values: readonly (string | number | null)[];
}

/** Opaque to callers; the version lets the form change. */
export function writeCursor({ key, values }: Position, orderId: string): string {
  const text = values.length === 0 ? `1:${key}` : `2:${JSON.stringify([key, values, orderId])}`;
  return Buffer.from(text).toString('base64url');
}

/** @throws AppError `invalid_request` for what is no cursor of this order */
export function readCursor(cursor: string, orderId: string): Position {
  const text = Buffer.from(cursor, 'base64url').toString();
  const position = text.startsWith('2:') ? sortedPosition(text.slice(2), orderId) : plainPosition(text, orderId);
  if (!position) throw notOurs();
  return position;
}

export function notOurs() {
  return invalidRequest([{ path: '/from', message: 'is not a cursor of this search' }]);
}

function plainPosition(text: string, orderId: string): Position | undefined {
  const read = orderId === '[]' ? /^1:(\d{1,15})$/.exec(text) : null;
  return read ? { key: Number(read[1]), values: [] } : undefined;
}

function sortedPosition(text: string, orderId: string): Position | undefined {
  try {
    const [key, values, id] = JSON.parse(text) as unknown[];
    const isKey = Number.isSafeInteger(key) && (key as number) >= 0;
    return isKey && Array.isArray(values) && id === orderId ? { key: key as number, values } : undefined;
  } catch {
    return undefined;
  }
}
