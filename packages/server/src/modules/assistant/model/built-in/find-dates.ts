import type { BlueprintInfo, SearchRule } from './catalog.ts';
import { nameWords, type Span, type Word } from './words.ts';

interface DateFilter {
  readonly filter: { readonly rule: SearchRule; readonly phrase: string };
  readonly span: Span;
}

/** Phrases of time with their presets; "this week" means the last seven days, because presets have no calendar week. */
const phrases: readonly (readonly [RegExp, string, string])[] = [
  [/^(last|past) (24 hours|day)\b/, 'lastDay', 'in the last day'],
  [/^today\b/, 'today', 'today'],
  [/^yesterday\b/, 'yesterday', 'yesterday'],
  [/^(last|past) (two|2) weeks\b|^(last|past) 14 days\b|^(last )?fortnight\b/, 'last2Weeks', 'in the last two weeks'],
  [/^(this|last|past|the past) week\b|^(last|past) (7|seven) days\b/, 'lastWeek', 'in the last seven days'],
  [
    /^(last|past) (3|three) months\b|^(last|past) 90 days\b|^(this|last) quarter\b/,
    'last3Months',
    'in the last 90 days',
  ],
  [/^(last|past) (6|six) months\b|^(last )?half year\b/, 'last6Months', 'in the last 180 days'],
  [/^(this|last|past) year\b|^(last|past) (12|twelve) months\b/, 'last12Months', 'in the last 365 days'],
  [/^(this|last|past) month\b|^(last|past) (30|thirty) days\b/, 'lastMonth', 'in the last 30 days'],
  [/^(recent|recently|latest)\b/, 'lastMonth', 'in the last 30 days'],
];

export function findDateRange(
  words: readonly Word[],
  blueprint: BlueprintInfo,
  isTaken: (index: number) => boolean,
): DateFilter | undefined {
  for (let start = 0; start < words.length; start++) {
    if (isTaken(start)) continue;
    const rest = words
      .slice(start, start + 4)
      .map((word) => word.lower)
      .join(' ');
    for (const [pattern, preset, phrase] of phrases) {
      const match = pattern.exec(rest);
      if (!match) continue;
      const end = start + match[0].split(' ').length;
      const property = findDateProperty(words, blueprint);
      const title = blueprint.properties?.[property]?.title ?? 'Created';
      const rule = { property, operator: 'between', value: { preset } };
      return { span: { start, end }, filter: { rule, phrase: `${title} ${phrase}` } };
    }
  }
  return undefined;
}

const beginnings = /open|start|creat|occur|happen|deploy|report|began|trigger|raised|released/i;

/** A date property that the question names, else one that sounds like a start, else the first, else `$createdAt`. */
function findDateProperty(words: readonly Word[], blueprint: BlueprintInfo): string {
  const dates = Object.entries(blueprint.properties ?? {}).filter(([, { format }]) => format === 'date-time');
  const asked = dates.find(([key, { title }]) =>
    [...nameWords(key), ...nameWords(title ?? '')].some(
      (name) => name.length >= 4 && words.some(({ lower }) => lower.startsWith(name.slice(0, 5)) && lower.length >= 4),
    ),
  );
  const beginning = dates.find(([key, { title }]) => beginnings.test(`${key} ${title ?? ''}`));
  return (asked ?? beginning ?? dates[0])?.[0] ?? '$createdAt';
}
