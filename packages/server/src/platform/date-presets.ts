import type { DatePreset } from '@portolan/contract/search-values';

const day = 24 * 60 * 60 * 1000;

/** Days back from now, or ahead where negative: rolling windows, not calendar months (catalog semantics §3.4). */
const rolling: Readonly<Partial<Record<DatePreset, number>>> = {
  lastDay: 1,
  lastWeek: 7,
  last2Weeks: 14,
  lastMonth: 30,
  last3Months: 90,
  last6Months: 180,
  last12Months: 365,
  last2Years: 730,
  last3Years: 1095,
  nextDay: -1,
  nextWeek: -7,
  next2Weeks: -14,
  nextMonth: -30,
  next3Months: -90,
  next6Months: -180,
  next12Months: -365,
};

/** The moments a preset spans, both inclusive, in UTC. */
export function presetRange(preset: DatePreset, now: Date): { readonly from: Date; readonly to: Date } {
  const days = rolling[preset];
  if (days === undefined) {
    const offset = { today: 0, yesterday: -1, tomorrow: 1 }[preset as 'today'];
    const from = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate() + offset));
    return { from, to: new Date(from.getTime() + day - 1) };
  }
  const other = new Date(now.getTime() - days * day);
  return days > 0 ? { from: other, to: now } : { from: now, to: other };
}
