import type { ScorecardPreview } from '@portolan/contract/scorecards';
import type { Sql } from 'sql-template-tag';
import { ownValue } from '../../platform/collections.ts';
import { AppError } from '../../platform/errors.ts';
import { createTurns } from '../../platform/take-turns.ts';
import type { ReadDeps } from '../entities/index.ts';
import { evaluateEntity, type ScorecardDefinition, scorecardConditions, teamNamer } from '../scorecard-rules/index.ts';
import { listPreviewed } from './preview.store.ts';
import { createTally } from './preview-tally.ts';

const previewMs = 5_000;
const partMax = 500;
/** How long other requests wait at most, beside the time that one entity takes. */
const turnMs = 25;

/** A scorecard as it would be, and as it is stored; `blueprint` is an identifier. */
interface Previewed {
  readonly blueprint: string;
  readonly identifier: string;
  readonly definition: ScorecardDefinition;
  readonly saved: ScorecardDefinition | undefined;
}

/**
 * Evaluates a scorecard on the entities of a condition with the code that writes use, so that both find the same.
 * @throws AppError `service_unavailable` after `limitMs`
 */
export async function evaluatePreview(
  { database, clock }: Pick<ReadDeps, 'database' | 'clock'>,
  orgId: string,
  { blueprint, identifier, definition, saved }: Previewed,
  condition: Sql,
  limitMs = previewMs,
): Promise<Omit<ScorecardPreview, 'ok'>> {
  const until = performance.now() + limitMs;
  const now = clock.now();
  const of = { condition, names: listNames(definition), scorecard: identifier };
  const tally = createTally(definition, saved);
  let afterKey = 0;
  const takeTurns = createTurns(turnMs);
  const letOthers = async (): Promise<void> => {
    if (performance.now() > until) throw tooSlow(tally.read().total, limitMs);
    await takeTurns();
  };
  for (;;) {
    const part = await listPreviewed(database, orgId, of, { afterKey, limit: partMax });
    const teamsOf = await teamNamer(database, orgId, [{ definition }], part);
    for (const entity of part) {
      const results = evaluateEntity({ entity, blueprint, teams: teamsOf(entity) }, [{ identifier, definition }], now);
      tally.add(entity, ownValue(results, identifier));
      // what a condition costs depends on the values that it meets
      await letOthers();
    }
    const last = part.at(-1);
    if (!last || part.length < partMax) return tally.read();
    afterKey = last.key;
  }
}

/** The keys of values that conditions look at: `labels.tier` reaches into `labels`. */
function listNames(definition: ScorecardDefinition): string[] {
  const named = scorecardConditions(definition).flatMap(({ property }) =>
    property === undefined || property.startsWith('$') ? [] : [property, property.split('.', 1)[0] as string],
  );
  return [...new Set(named)];
}

function tooSlow(count: number, limitMs: number): AppError {
  const seconds = limitMs / 1000;
  return new AppError(
    'service_unavailable',
    `The preview stopped after ${seconds} seconds and ${count} ${count === 1 ? 'entity' : 'entities'}. The scorecard can be saved without it; with fewer rules it takes less time.`,
    { details: { counted: count } },
  );
}
