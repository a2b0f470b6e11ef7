import type { OverTime, PropertiesHistoryBody } from '@portolan/contract/analytics';
import type { Issue } from '@portolan/contract/errors';
import type { Actor } from '../../platform/actor.ts';
import { ownValue } from '../../platform/collections.ts';
import { invalidRequest } from '../../platform/errors.ts';
import { openScope } from '../access/index.ts';
import { getEntity, type ReadDeps } from '../entities/index.ts';
import { answered, type CompileContext } from '../entity-query/index.ts';
import type { StoredEntity } from '../entity-rows/index.ts';
import { type PastKey, readValuesAt } from '../journal/index.ts';
import { presentSeries } from './aggregate-over-time.ts';
import { chartNumber, plainName } from './chart-values.sql.ts';
import { timeBuckets } from './time-buckets.ts';

/**
 * History of an entity's numbers: the last known value in each bucket (catalog semantics §2.6), from its creation on
 * and across renames; the current bucket has the current value.
 * @throws AppError `not_found`; `invalid_request` if a property is not a number of the blueprint or is hidden from the
 * caller
 */
export async function propertiesHistory(
  deps: ReadDeps,
  actor: Actor,
  { blueprintIdentifier, entityIdentifier, propertyNames, timeRange, timeInterval }: PropertiesHistoryBody,
): Promise<OverTime> {
  const { blueprint, entity } = await getEntity(deps, actor, blueprintIdentifier, entityIdentifier);
  const context = (await openScope(deps, actor, undefined)).contextOf(blueprint);
  const keys = pastKeys(propertyNames, context);
  const buckets = timeBuckets(timeRange, timeInterval, context.now);
  const { now } = context;
  const ends = buckets.starts.map((_, index) => buckets.starts[index + 1] ?? new Date(buckets.to.getTime() + 1));
  const isPast = (index: number) => (ends[index] as Date) <= now && (ends[index] as Date) > entity.createdAt;
  const past = ends.filter((_, index) => isPast(index));
  const named = { blueprint: blueprint.identifier, entity: entity.identifier, since: entity.createdAt };
  const found = await readValuesAt(deps.database, actor.orgId, named, keys, past);
  const values = buckets.starts.map((start, index): readonly unknown[] => {
    // no record means no change since: the current value holds
    const current = () => keys.map((key) => currentValue(entity, key));
    if (isPast(index)) return found[past.indexOf(ends[index] as Date)] ?? current();
    const isNow = start <= now && (ends[index] as Date) > entity.createdAt;
    return isNow ? current() : keys.map(() => null);
  });
  return presentSeries(
    buckets,
    propertyNames.map((property, index) => ({ property, values: values.map((each) => answered(each[index])) })),
  );
}

function pastKeys(names: readonly string[], context: CompileContext): PastKey[] {
  const issues: Issue[] = [];
  const keys = names.map((name, index): PastKey => {
    const key = plainName(name, context);
    const { definition } = context.blueprint ?? {};
    const isOwn = ownValue(definition?.schema.properties ?? {}, key) !== undefined;
    if (!chartNumber(key, context) || key.includes('.')) {
      issues.push({ path: `/propertyNames/${index}`, message: 'is not a number property of the blueprint' });
    }
    return { key, column: isOwn ? 'properties' : 'derived' };
  });
  if (issues.length > 0) throw invalidRequest(issues);
  return keys;
}

function currentValue(entity: StoredEntity, { column, key }: PastKey): unknown {
  return ownValue(entity[column] as Record<string, unknown>, key);
}
