/** An entity whose own relations are shown in a further column. */
export interface Step {
  readonly blueprint: string;
  readonly identifier: string;
}

/** More columns on a side would be a list of everything. */
export const stepsMax = 3;

/** Reads the steps from an address, where they are blueprints and identifiers in turn. */
export function readTrail(texts: readonly string[] | undefined): readonly Step[] {
  const steps: Step[] = [];
  for (let at = 0; at + 1 < (texts?.length ?? 0) && steps.length < stepsMax; at += 2)
    steps.push({ blueprint: texts?.[at] ?? '', identifier: texts?.[at + 1] ?? '' });
  return steps;
}

export function writeTrail(steps: readonly Step[]): string[] | undefined {
  return steps.length === 0 ? undefined : steps.flatMap(({ blueprint, identifier }) => [blueprint, identifier]);
}

/** Opens a step of the column at `level`, closes it if it is open, and closes all columns beyond. */
export function toggleStep(trail: readonly Step[], level: number, step: Step): readonly Step[] {
  const before = trail.slice(0, level);
  const isOpen = isSame(trail[level], step);
  return isOpen || before.length === stepsMax ? before : [...before, step];
}

export function isSame(one: Step | undefined, other: Step): boolean {
  return one?.blueprint === other.blueprint && one.identifier === other.identifier;
}
