import type { AnswerOf } from '../../api/api.ts';

type Answer = AnswerOf<'getEntityTimeline'>;
type DependencyEvent = NonNullable<Answer['dependencies']>['events'][number];

/** An event of the entity, or of what it depends on. */
export type TimelineEvent = Answer['events'][number] & Partial<Pick<DependencyEvent, 'dependency'>>;

/** Newest first, as each list is. */
export function mergeEvents(own: readonly TimelineEvent[], others: readonly TimelineEvent[]): readonly TimelineEvent[] {
  if (others.length === 0) return own;
  return [...own, ...others].sort((one, other) => Date.parse(other.at) - Date.parse(one.at));
}

/** Events that are drawn as one mark: they lie closer together than two marks can stand. */
export interface Mark {
  readonly id: string;
  /** From 0 at the beginning to 1 at the end. */
  readonly place: number;
  readonly events: readonly TimelineEvent[];
  /** The event that says most. */
  readonly head: TimelineEvent;
}

const weights: Readonly<Record<TimelineEvent['kind'], number>> = {
  incident: 6,
  deployment: 5,
  run: 4,
  owner: 3,
  created: 2,
  changed: 1,
  timer: 1,
};

function weight({ kind, outcome }: TimelineEvent): number {
  return weights[kind] + (outcome === 'failure' ? 10 : 0);
}

/** Marks from the oldest to the newest, at most `places` of them. */
export function toMarks(events: readonly TimelineEvent[], from: number, to: number, places: number): readonly Mark[] {
  const buckets = new Map<number, TimelineEvent[]>();
  for (const event of events) {
    const share = (Date.parse(event.at) - from) / (to - from);
    if (share < 0 || share > 1) continue;
    const bucket = Math.min(Math.floor(share * places), places - 1);
    const inside = buckets.get(bucket);
    if (inside) inside.push(event);
    else buckets.set(bucket, [event]);
  }
  return [...buckets]
    .sort(([one], [other]) => one - other)
    .map(([bucket, inside]) => ({
      id: `mark-${bucket}`,
      place: (bucket + 0.5) / places,
      events: inside,
      head: inside.reduce((most, event) => (weight(event) > weight(most) ? event : most)),
    }));
}
