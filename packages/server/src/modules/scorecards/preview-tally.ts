import type { ScorecardPreview, ScorecardResult } from '@portolan/contract/scorecards';
import { type ScorecardDefinition, scorecardLevels } from '../scorecard-rules/index.ts';

const failingMax = 10;
const changedMax = 50;

type Change = ScorecardPreview['changed'][number];
type Direction = 'falls' | 'rises' | 'other';

interface Counted {
  readonly identifier: string;
  readonly title: string | null;
  /** The level now; null where the scorecard leaves the entity out. */
  readonly before: string | null;
}

/** Counts entities by what a scorecard finds on them and by what is stored. */
export function createTally(definition: ScorecardDefinition, saved: ScorecardDefinition | undefined) {
  const next = scorecardLevels(definition).map(({ title }) => title);
  const previous = saved ? scorecardLevels(saved).map(({ title }) => title) : [];
  const titles = [...next, ...previous.filter((title) => !next.includes(title))];
  const levels = new Map(titles.map((title) => [title, { title, before: 0, after: 0 }]));
  const rules = new Map(
    definition.rules.map(({ identifier }) => [
      identifier,
      { identifier, passed: 0, failed: 0, failing: [] as { identifier: string; title: string | null }[] },
    ]),
  );
  const changes: Record<Direction, { count: number; listed: Change[] }> = {
    falls: { count: 0, listed: [] },
    rises: { count: 0, listed: [] },
    other: { count: 0, listed: [] },
  };
  let total = 0;

  /** A level that went is where it was; what a new scorecard finds neither rises nor falls. */
  const directionOf = (from: string | null, to: string | null): Direction => {
    if (from === null) return 'other';
    if (to === null) return 'falls';
    const was = next.includes(from) ? next.indexOf(from) : previous.indexOf(from);
    const is = next.indexOf(to);
    return is < was ? 'falls' : is > was ? 'rises' : 'other';
  };

  return {
    add({ identifier, title, before }: Counted, result: ScorecardResult | undefined): void {
      total += 1;
      const after = result?.level ?? null;
      const now = before === null ? undefined : levels.get(before);
      if (now) now.before += 1;
      const then = after === null ? undefined : levels.get(after);
      if (then) then.after += 1;
      for (const each of result?.rules ?? []) {
        const rule = rules.get(each.identifier);
        if (!rule) continue;
        if (each.status === 'SUCCESS') rule.passed += 1;
        else {
          rule.failed += 1;
          if (rule.failing.length < failingMax) rule.failing.push({ identifier, title });
        }
      }
      if (before === after) return;
      const change = changes[directionOf(before, after)];
      change.count += 1;
      if (change.listed.length < changedMax) change.listed.push({ identifier, title, from: before, to: after });
    },
    read(): Omit<ScorecardPreview, 'ok'> {
      const { falls, rises, other } = changes;
      return {
        total,
        levels: [...levels.values()],
        rules: [...rules.values()],
        changed: [...falls.listed, ...rises.listed, ...other.listed].slice(0, changedMax),
        changedCount: falls.count + rises.count + other.count,
        fallCount: falls.count,
        riseCount: rises.count,
      };
    },
  };
}
