import type { AggregateFigureBody } from '@portolan/contract/analytics';
import type { Issue } from '@portolan/contract/errors';
import type { Actor } from '../../platform/actor.ts';
import { invalidRequest } from '../../platform/errors.ts';
import type { ReadDeps } from '../entities/index.ts';
import { answered, type Figure, finishTally, periodMs } from '../entity-query/index.ts';
import { chartMoment, chartNumber, noMoment, noNumber } from './chart-values.sql.ts';
import { readTally, tallied } from './figures.store.ts';
import { type MatchingBlueprint, matchingBlueprints } from './matching-blueprints.ts';
import { type ReadPart, selectParts } from './read-parts.sql.ts';

/**
 * One figure over the matching entities the caller may read, of all blueprints that have the named properties (catalog
 * semantics §1.7, §3.8). Counts of nothing are 0, other figures null.
 * @throws AppError `invalid_request` if blueprints match and none has the property
 */
export async function aggregateEntities(
  deps: ReadDeps,
  actor: Actor,
  body: AggregateFigureBody,
): Promise<number | null> {
  const { matching } = await matchingBlueprints(deps, actor, body.query);
  const property = 'property' in body ? body.property : undefined;
  const period = body.averageOf ?? 'total';
  const isOverTime = body.func === 'average' && (property === undefined || period !== 'total');
  const figure: Figure = { func: body.func, property, periodMs: isOverTime ? periodMs[period] : undefined };
  const numbers = property === undefined ? undefined : { name: property, field: 'property', read: chartNumber };
  const moments = isOverTime ? { name: body.measureTimeBy, field: 'measureTimeBy', read: chartMoment } : undefined;
  refuseUnknown(matching, [numbers, moments]);
  const parts = matching.flatMap((each): ReadPart[] => {
    const number = numbers ? numbers.read(numbers.name, each.context) : noNumber;
    const at = moments ? moments.read(moments.name, each.context) : noMoment;
    return number && at ? [{ ...each, columns: tallied(number, at) }] : [];
  });
  const items = selectParts(actor.orgId, parts);
  const tally = items && (await readTally(deps.database.standby, items, figure));
  return answered(finishTally(figure, tally));
}

interface NamedOperand {
  readonly name: string;
  readonly field: string;
  readonly read: typeof chartNumber;
}

const missing: Readonly<Record<string, string>> = {
  property: 'is not a number property of what the query matches',
  measureTimeBy: 'is not a property with a time of what the query matches',
};

/** A hidden property is refused in the same words as a missing one. */
function refuseUnknown(matching: readonly MatchingBlueprint[], named: readonly (NamedOperand | undefined)[]): void {
  if (matching.length === 0) return;
  const issues = named.flatMap((each): Issue[] => {
    if (!each || matching.some(({ context }) => each.read(each.name, context))) return [];
    return [{ path: `/${each.field}`, message: missing[each.field] as string }];
  });
  if (issues.length > 0) throw invalidRequest(issues);
}
