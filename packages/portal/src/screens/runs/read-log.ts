import type { AnswerOf } from '../../api/api.ts';

export type LogLine = AnswerOf<'listRunLogs'>['runLogs'][number];

/** Lines per request. */
export const page = 50;
const pagesAtOnce = 40;

/** Delay before the next poll; it grows while no lines arrive. */
export function nextLookMs(quietLooks: number): number {
  return Math.min(15_000, 1500 * 1.5 ** Math.max(0, quietLooks - 2));
}

/** The lines read so far, and the number of polls without news. */
export interface FollowedLog {
  readonly lines: readonly LogLine[];
  readonly quietLooks: number;
  readonly hasMore: boolean;
}

type ReadPage = (offset: number) => Promise<readonly LogLine[]>;

/** Continues after the last line: a log is append-only. */
export async function readOn(known: FollowedLog | undefined, read: ReadPage): Promise<FollowedLog> {
  const lines = [...(known?.lines ?? [])];
  const before = lines.length;
  let last = page;
  for (let pages = 0; pages < pagesAtOnce && last === page; pages += 1) {
    const next = await read(lines.length);
    lines.push(...next);
    last = next.length;
  }
  const isQuiet = lines.length === before;
  return { lines, quietLooks: isQuiet ? (known?.quietLooks ?? 0) + 1 : 0, hasMore: last === page };
}
