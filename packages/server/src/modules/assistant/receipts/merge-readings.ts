import { isRecord } from '@portolan/contract/json-value';
import type { ReadRecord } from './number-records.ts';

export interface MergedReadings {
  /** One record for each reference: a thing that was read again counts as it was read last. */
  readonly records: readonly ReadRecord[];
  /** Readings that a later one replaced. */
  readonly outdated: readonly ReadRecord[];
}

export function mergeReadings(records: readonly ReadRecord[]): MergedReadings {
  const merged = new Map<string, ReadRecord>();
  const outdated: ReadRecord[] = [];
  for (const record of records) {
    const before = merged.get(record.ref);
    const now = before ? merge(before, record) : record;
    if (before && now === record) outdated.push(before);
    merged.set(record.ref, now);
  }
  return { records: [...merged.values()], outdated };
}

const parts = ['properties', 'relations', 'scorecards'] as const;

/** What only the earlier reading asked for still counts if nothing was changed between the two. */
function merge(before: ReadRecord, after: ReadRecord): ReadRecord {
  const [old, now] = [before.value, after.value];
  if (!isRecord(old) || !isRecord(now) || old['updatedAt'] !== now['updatedAt']) return after;
  const value: Record<string, unknown> = { ...old, ...now };
  for (const part of parts) {
    if (isRecord(old[part]) && isRecord(now[part])) value[part] = { ...old[part], ...now[part] };
  }
  return { ...after, value, asked: joinAsked(before.asked, after.asked) };
}

/** The fields that either of the two asked for. */
function joinAsked(before: unknown, after: unknown): unknown {
  const [old, now] = [includeOf(before), includeOf(after)];
  if (now === undefined) return after;
  if (old === undefined) return before;
  return { ...(after as object), include: [...old, ...now] };
}

function includeOf(asked: unknown): readonly unknown[] | undefined {
  const include = isRecord(asked) ? asked['include'] : undefined;
  return Array.isArray(include) ? include : undefined;
}
