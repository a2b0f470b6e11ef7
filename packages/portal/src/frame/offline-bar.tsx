import { useEffect, useState } from 'react';
import classes from './frame.module.css';

/** Says since when there is no connection; what is shown then may be old. */
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
  return (
    <div role="status" className={since ? classes.offline : undefined}>
      {since &&
        `No connection since ${since.toLocaleTimeString()}. What you see may be old; it is read anew when the connection is back.`}
    </div>
  );
}
