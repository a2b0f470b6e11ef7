import { type BrokenDownTime, breakDown, secondsFromEpoch } from '../dates/calendar.ts';
import { formatTime } from '../dates/format-time.ts';
import { parseTime } from '../dates/parse-time.ts';
import { raise } from '../evaluate/raise.ts';
import type { Run } from '../evaluate/run.ts';
import type { JqValue } from '../value/value.ts';
import { type CallForms, valueForms } from './value-builtin.ts';

/** Beyond this many seconds (year 275,760) there is no agreed calendar, and C's fields would overflow soon after. */
const secondsMax = 8.64e12;

/** The size of jq's format buffer; longer results fail. */
const textLengthMax = 4_095;

/** jq's array for a broken-down time; seconds keep their fraction. */
function toArray(time: BrokenDownTime): JqValue {
  const { year, month, day, hours, minutes, seconds, weekday, yearday } = time;
  return [year, month, day, hours, minutes, seconds, weekday, yearday];
}

/**
 * Before 1970 jq truncates toward 1970 and adds the fraction counted from below. All times are UTC: expressions see no
 * environment, so `localtime` equals `gmtime`.
 */
function gmtime(_run: Run, input: JqValue): JqValue {
  if (typeof input !== 'number') throw raise('gmtime() requires numeric inputs');
  if (!(Math.abs(input) <= secondsMax)) throw raise('error converting number of seconds since epoch to datetime');
  const time = breakDown(Math.trunc(input));
  time.seconds += input - Math.floor(input);
  return toArray(time);
}

function fromArray(input: JqValue, problem: string): BrokenDownTime {
  if (!Array.isArray(input) || input.some((part) => typeof part !== 'number') || input.length < 6) throw raise(problem);
  const [year, month, day, hours, minutes, seconds, weekday = 0, yearday = 0] = input.map((part) =>
    Math.trunc(Math.max(-1e9, Math.min(1e9, part as number)) || 0),
  ) as number[];
  return {
    year: year!,
    month: month!,
    day: day!,
    hours: hours!,
    minutes: minutes!,
    seconds: seconds!,
    weekday,
    yearday,
  };
}

function mktime(_run: Run, input: JqValue): JqValue {
  if (!Array.isArray(input)) throw raise('mktime requires array inputs');
  return secondsFromEpoch(fromArray(input, 'mktime requires parsed datetime inputs'));
}

function strftime(name: string): CallForms {
  return valueForms((run, input, format) => {
    const parts = typeof input === 'number' ? gmtime(run, input) : input;
    if (!Array.isArray(parts)) throw raise(`${name}/1 requires parsed datetime inputs`);
    if (typeof format !== 'string') throw raise(`${name}/1 requires a string format`);
    const time = fromArray(parts, `${name}/1 requires parsed datetime inputs`);
    const text = format.length > textLengthMax ? undefined : formatTime(format, time);
    if (!text || text.length > textLengthMax) throw raise(`${name}/1: unknown system failure`);
    return text;
  });
}

function strptime(_run: Run, input: JqValue, format: JqValue): JqValue {
  if (typeof input !== 'string' || typeof format !== 'string') {
    throw raise('strptime/1 requires string inputs and arguments');
  }
  const time = parseTime(input, format);
  if (time === undefined) throw raise(`date "${input}" does not match format "${format}"`);
  return toArray(time);
}

export const dateBuiltins: readonly [name: string, arity: number, forms: CallForms][] = [
  ['now', 0, valueForms((run) => run.nowMs / 1_000)],
  ['gmtime', 0, valueForms(gmtime)],
  ['localtime', 0, valueForms(gmtime)],
  ['mktime', 0, valueForms(mktime)],
  ['strftime', 1, strftime('strftime')],
  ['strflocaltime', 1, strftime('strflocaltime')],
  ['strptime', 1, valueForms(strptime)],
];
