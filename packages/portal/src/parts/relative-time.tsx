import { useEffect, useState } from 'react';
import { exact, spoken } from './time.ts';

/** How long ago; the exact moment with its zone shows on hover and to assistive technology. */
export function RelativeTime({ at }: { at: string | Date | null | undefined }) {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 30_000);
    return () => clearInterval(timer);
  }, []);
  if (!at) return <span>–</span>;
  const moment = new Date(at);
  if (Number.isNaN(moment.getTime())) return <span>{String(at)}</span>;
  return (
    <time dateTime={moment.toISOString()} title={exact(moment)}>
      {spoken(moment.getTime(), now)}
    </time>
  );
}
