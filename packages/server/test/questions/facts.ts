import type { Fact } from './question.ts';

/** Plain reading of an organization's objects; the gold answers use nothing else. */
export interface Facts {
  readonly now: Date;
  of(blueprint: string): readonly Fact[];
  /** By title or identifier, which must be one. */
  one(blueprint: string, name: string): Fact;
}

export function readFacts(all: readonly Fact[], now: Date): Facts {
  const of = (blueprint: string) => all.filter((fact) => fact.blueprint === blueprint);
  return {
    now,
    of,
    one(blueprint, name) {
      const found = of(blueprint).filter(({ identifier, title }) => identifier === name || title === name);
      if (found.length !== 1) throw new Error(`${found.length} of ${blueprint} are called ${name}`);
      return found[0] as Fact;
    },
  };
}

export function targets(fact: Fact, relation: string): readonly string[] {
  const value = fact.relations[relation];
  if (value === undefined || value === null) return [];
  return typeof value === 'string' ? [value] : value;
}

export function pointsAt(fact: Fact, relation: string, target: Fact): boolean {
  return targets(fact, relation).includes(target.identifier);
}

/** Everything reached along a relation in any number of steps, without the start. */
export function reach(all: readonly Fact[], start: Fact, relation: string, way: 'forth' | 'back'): Fact[] {
  const next = (fact: Fact): Fact[] =>
    way === 'forth'
      ? all.filter(({ identifier }) => targets(fact, relation).includes(identifier))
      : all.filter((each) => pointsAt(each, relation, fact));
  const seen = new Set<Fact>();
  const waiting = [start];
  for (let at = waiting.pop(); at; at = waiting.pop()) {
    for (const one of next(at)) {
      if (seen.has(one)) continue;
      seen.add(one);
      waiting.push(one);
    }
  }
  seen.delete(start);
  return [...seen];
}

/** The facts with the largest value; several if they are equal. */
export function largest(facts: readonly Fact[], value: (fact: Fact) => number | undefined, sign: 1 | -1 = 1): Fact[] {
  const known = facts.filter((fact) => value(fact) !== undefined && !Number.isNaN(value(fact)));
  const best = Math.max(...known.map((fact) => sign * (value(fact) as number)));
  return known.filter((fact) => sign * (value(fact) as number) === best);
}

export function first(facts: readonly Fact[], count: number, value: (fact: Fact) => number): Fact[] {
  const sorted = [...facts].sort((a, b) => value(b) - value(a));
  const [last, next] = [sorted[count - 1], sorted[count]];
  if (last && next && value(last) === value(next)) throw new Error('the first are not clear');
  return sorted.slice(0, count);
}

export function isEmpty(value: unknown): boolean {
  return value === undefined || value === null || value === '' || (Array.isArray(value) && value.length === 0);
}

export function time(fact: Fact, property: string): number {
  return Date.parse(String(fact.properties[property]));
}

export function day(fact: Fact, property: string): string {
  return String(fact.properties[property]).slice(0, 10);
}

const dayMs = 86_400_000;

/** From a moment of the calendar to another, in UTC. */
export function within(facts: readonly Fact[], property: string, from: string, to: string): Fact[] {
  return facts.filter((fact) => time(fact, property) >= Date.parse(from) && time(fact, property) < Date.parse(to));
}

/** The last days; the set must not depend on whether a day counts whole, or the question would have two answers. */
export function lastDays(facts: readonly Fact[], property: string, days: number, now: Date): Fact[] {
  const midnight = Math.floor(now.getTime() / dayMs) * dayMs;
  const since = (from: number) => facts.filter((fact) => time(fact, property) >= from && time(fact, property) <= +now);
  const [exact, whole] = [since(+now - days * dayMs), since(midnight - days * dayMs)];
  if (exact.length !== whole.length) throw new Error(`the last ${days} days are not clear`);
  return exact;
}
