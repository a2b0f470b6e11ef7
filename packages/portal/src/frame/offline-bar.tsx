import { useEffect, useState } from 'react';
import { useLiveState } from '../api/live.ts';
import { locale } from '../kit/language.ts';
import { t } from '../kit/translate.ts';
import classes from './frame.module.css';

/** Reconnections within this time are not shown. */
const patienceMs = 8_000;

/** Says since when the connection or the live stream is lost, in which case the screen may be stale. */
export function OfflineBar() {
  const [since, setSince] = useState<Date | undefined>(() => (navigator.onLine ? undefined : new Date()));
  useEffect(() => {
    const lost = () => setSince(new Date());
    const back = () => setSince(undefined);
    window.addEventListener('offline', lost);
    window.addEventListener('online', back);
    return () => {
      window.removeEventListener('offline', lost);
      window.removeEventListener('online', back);
    };
  }, []);
  const lostSince = useLostSince();
  const text = since
    ? t('Offline since {time}. Showing the last known data; it updates when the connection is back.', {
        time: since.toLocaleTimeString(locale),
      })
    : lostSince
      ? t('No live updates since {time}. Lists are refreshed from time to time.', {
          time: lostSince.toLocaleTimeString(locale),
        })
      : undefined;
  return (
    <div role="status" className={text ? classes.offline : undefined}>
      {text}
    </div>
  );
}

/** Since when the stream is lost; undefined until `patienceMs` have passed. */
function useLostSince(): Date | undefined {
  const live = useLiveState();
  const lostAt = live.kind === 'lost' ? live.since : undefined;
  const [shown, setShown] = useState<Date>();
  useEffect(() => {
    if (lostAt === undefined) return setShown(undefined);
    const timer = setTimeout(() => setShown(new Date(lostAt)), patienceMs);
    return () => clearTimeout(timer);
  }, [lostAt]);
  return shown;
}
