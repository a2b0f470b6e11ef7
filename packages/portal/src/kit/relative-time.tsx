import { useSyncExternalStore } from 'react';
import { exact, spoken } from './time.ts';

const everyMs = 30_000;

/** One timer updates all relative times on a screen; it stops while there are none. */
const watching = new Set<() => void>();
let now = Date.now();
let timer: ReturnType<typeof setInterval> | undefined;

function watchClock(onTick: () => void): () => void {
  if (watching.size === 0) {
    now = Date.now();
    timer = setInterval(() => {
      now = Date.now();
      for (const tell of watching) tell();
    }, everyMs);
  }
  watching.add(onTick);
  return () => {
    watching.delete(onTick);
    if (watching.size === 0) clearInterval(timer);
  };
}

/** How long ago; hover and assistive technology give the exact time with its zone. */
export function RelativeTime({ at }: { at: string | Date | null | undefined }) {
  useSyncExternalStore(watchClock, () => now);
  if (!at) return <span>–</span>;
  const moment = new Date(at);
  if (Number.isNaN(moment.getTime())) return <span>{String(at)}</span>;
  return (
    <time dateTime={moment.toISOString()} title={exact(moment)}>
      {spoken(moment.getTime(), Date.now())}
    </time>
  );
}
