import { useMemo } from 'react';
import type { AnswerOf } from '../../api/api.ts';
import { useRead } from '../../api/query.ts';
import { locale } from '../../kit/language.ts';

type Count = AnswerOf<'countRelated'>['counts'][number];

/** Counts by the id of their connection. */
export type RelatedCounts = ReadonlyMap<string, Pick<Count, 'count' | 'exact'>>;

/** How many entities the reader may see over each relation, in one request. */
export function useRelatedCounts(blueprint: string, identifier: string) {
  const read = useRead('countRelated', {
    params: { blueprint_identifier: blueprint, entity_identifier: identifier },
  });
  const data = useMemo(
    () => read.data && new Map(read.data.counts.map((each) => [connectionId(each), each])),
    [read.data],
  );
  return { data, isPending: read.isPending };
}

function connectionId({ direction, blueprint, relation }: Count): string {
  return direction === 'outward' ? `to-${relation}` : `from-${blueprint}-${relation}`;
}

/** `3`, or `1,000+` where counting stopped. */
export function countText(count: Pick<Count, 'count' | 'exact'> | undefined): string {
  if (!count) return '';
  return `${count.count.toLocaleString(locale)}${count.exact ? '' : '+'}`;
}

/** All of them together. */
export function totalText(counts: RelatedCounts | undefined): string {
  if (!counts) return '';
  const all = [...counts.values()];
  const total = all.reduce((sum, { count }) => sum + count, 0);
  return countText({ count: total, exact: all.every(({ exact }) => exact) });
}
