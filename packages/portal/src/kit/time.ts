const steps = [
  ['year', 365 * 24 * 3600],
  ['month', 30 * 24 * 3600],
  ['day', 24 * 3600],
  ['hour', 3600],
  ['minute', 60],
] as const;

// cached: creating a format takes longer than rendering a table row
const spokenFormats = new Map<string | undefined, Intl.RelativeTimeFormat>();
const exactFormat = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'long' });

function spokenFormat(locale: string | undefined): Intl.RelativeTimeFormat {
  const format = spokenFormats.get(locale) ?? new Intl.RelativeTimeFormat(locale, { numeric: 'auto' });
  spokenFormats.set(locale, format);
  return format;
}

/** A relative time in words: `3 hours ago`, `just now`, `in 2 days`. */
export function spoken(at: number, now: number, locale: string | undefined = undefined): string {
  const seconds = Math.round((at - now) / 1000);
  const [unit, size] = steps.find(([, length]) => Math.abs(seconds) >= length) ?? [];
  if (!unit || !size) return seconds > 10 ? 'in less than a minute' : 'just now';
  return spokenFormat(locale).format(Math.trunc(seconds / size), unit);
}

/** The exact time, with seconds and zone. */
export function exact(moment: Date): string {
  return exactFormat.format(moment);
}

const plannedFormat = new Intl.DateTimeFormat(undefined, {
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
  if (ms < 1000) return `${Math.round(ms)} ms`;
  if (ms < 10_000) return `${(Math.floor(ms / 100) / 10).toFixed(1)} s`;
  const seconds = Math.floor(ms / 1000);
  if (seconds < 60) return `${seconds} s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return `${minutes} m ${seconds % 60} s`;
  const hours = Math.floor(minutes / 60);
  return hours < 24 ? `${hours} h ${minutes % 60} m` : `${Math.floor(hours / 24)} d ${hours % 24} h`;
}
