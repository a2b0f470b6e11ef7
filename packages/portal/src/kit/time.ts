import { locale } from './language.ts';
import { t } from './translate.ts';

const steps = [
  ['year', 365 * 24 * 3600],
  ['month', 30 * 24 * 3600],
  ['day', 24 * 3600],
  ['hour', 3600],
  ['minute', 60],
] as const;

const spokenFormat = new Intl.RelativeTimeFormat(locale, { numeric: 'auto' });
const exactFormat = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'long' });

/** A relative time in words: `3 hours ago`, `just now`, `in 2 days`. */
export function spoken(at: number, now: number): string {
  const seconds = Math.round((at - now) / 1000);
  const [unit, size] = steps.find(([, length]) => Math.abs(seconds) >= length) ?? [];
  if (!unit || !size) return seconds > 10 ? t('in less than a minute') : t('just now');
  return spokenFormat.format(Math.trunc(seconds / size), unit);
}

/** The exact time, with seconds and zone. */
export function exact(moment: Date): string {
  return exactFormat.format(moment);
}

const plannedFormat = new Intl.DateTimeFormat(locale, {
  weekday: 'short',
  day: 'numeric',
  month: 'short',
  hour: '2-digit',
  minute: '2-digit',
});

/** A moment of these days: `Fri, Nov 27, 02:10 PM`. */
export function planned(moment: Date): string {
  return plannedFormat.format(moment);
}

/** A duration: `850 ms`, `6.4 s`, `1 m 42 s`, `2 h 5 m`, `3 d 4 h`. */
export function duration(ms: number): string {
  if (ms < 1000) return t('{round} ms', { round: Math.round(ms) });
  if (ms < 10_000) return `${(Math.floor(ms / 100) / 10).toFixed(1)} s`;
  const seconds = Math.floor(ms / 1000);
  if (seconds < 60) return `${seconds} s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return `${minutes} m ${seconds % 60} s`;
  const hours = Math.floor(minutes / 60);
  return hours < 24 ? `${hours} h ${minutes % 60} m` : `${Math.floor(hours / 24)} d ${hours % 24} h`;
}
