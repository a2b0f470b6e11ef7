import { Checkbox, Text } from '@mantine/core';
import { type ReactNode, useRef } from 'react';
import { ItemCard, type ShownItem } from './item-card.tsx';
import { describePlace } from './manual-item.ts';
import classes from './migration.module.css';
import { Some } from './more.tsx';
import { useTicks } from './ticks.ts';

const order = ['broken', 'breaks', 'review', 'mentions', 'done'];

/** What is left to people: where, why, what is there, what to write instead; ticked once somebody looked at it. */
export function ManualItems<Shown extends ShownItem>({
  items,
  children,
}: {
  items: readonly Shown[];
  /** What can be done about one. */
  children?: (shown: Shown) => ReactNode;
}) {
  const { isTicked, tick } = useTicks();
  // by what they were when they were first shown: nothing moves under the hand of whoever works through them
  const ranks = useRef(new Map<string, number>());
  const rankOf = ({ item, state }: ShownItem) => {
    const rank = ranks.current.get(item.id) ?? order.indexOf(state);
    ranks.current.set(item.id, rank);
    return rank;
  };
  const sorted = items.toSorted((left, right) => rankOf(left) - rankOf(right));
  const reviewed = items.filter(({ item }) => isTicked(item.id)).length;
  if (items.length === 0) return <Text c="dimmed">Nothing is left to people.</Text>;
  return (
    <>
      <Text size="sm" c="dimmed" mb="xs" role="status">
        {reviewed} of {items.length} looked at, kept in this browser
      </Text>
      <Some of={sorted} what="items">
        {(shown) => (
          <ul className={classes.list}>
            {shown.map((each) => {
              const { item, state, mark } = each;
              return (
                <li key={item.id} className={classes.item}>
                  <Checkbox
                    checked={isTicked(item.id)}
                    onChange={({ currentTarget }) => tick(item.id, currentTarget.checked)}
                    aria-label={`Looked at ${describePlace(item)}`}
                  />
                  <ItemCard item={item} state={state} {...(mark ? { mark } : {})}>
                    {children?.(each)}
                  </ItemCard>
                </li>
              );
            })}
          </ul>
        )}
      </Some>
    </>
  );
}
