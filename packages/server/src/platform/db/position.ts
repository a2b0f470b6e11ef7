/** How far a database has written: what is committed at a position is seen by whoever has replayed it. */
export interface Position {
  /** Counts promotions: positions of different timelines may name different changes. */
  readonly timeline: number;
  readonly lsn: bigint;
}

/** Of the primary, never below a commit that came before, even one that is not flushed yet. */
export const positionStatement =
  'select pg_walfile_name(lsn) as file, lsn::text as lsn from pg_current_wal_insert_lsn() lsn';

export interface PositionRow {
  /** A segment of the log; its name begins with the timeline. */
  readonly file: string;
  readonly lsn: string;
}

export function toPosition({ file, lsn }: PositionRow): Position {
  return { timeline: Number.parseInt(file.slice(0, 8), 16), lsn: readLsn(lsn) };
}

/** `1:0/16B3748`, as answers carry it; undefined for anything else. */
export function readPosition(text: string): Position | undefined {
  const [, timeline, lsn] = /^([1-9]\d{0,9}):([\dA-F]{1,8}\/[\dA-F]{1,8})$/i.exec(text) ?? [];
  return timeline && lsn ? { timeline: Number(timeline), lsn: readLsn(lsn) } : undefined;
}

export function writePosition({ timeline, lsn }: Position): string {
  return `${timeline}:${(lsn >> 32n).toString(16)}/${(lsn & 0xffffffffn).toString(16)}`.toUpperCase();
}

export function isLater(one: Position, other: Position): boolean {
  return one.timeline === other.timeline ? one.lsn > other.lsn : one.timeline > other.timeline;
}

/** PostgreSQL's two halves as one number. */
export function readLsn(text: string): bigint {
  const [high = '0', low = '0'] = text.split('/');
  return (BigInt(`0x${high}`) << 32n) | BigInt(`0x${low}`);
}
