import { Checkbox, Text } from '@mantine/core';
import { type ReactNode, useRef } from 'react';
import { t } from '../../kit/translate.ts';
import { ItemCard, type ShownItem } from './item-card.tsx';
import { describePlace } from './manual-item.ts';
import classes from './migration.module.css';
import { Some } from './more.tsx';
import { useTicks } from './ticks.ts';

const order = ['broken', 'breaks', 'review', 'mentions', 'done'];

/** The list of manual items: place, reason, value and suggestion, with a tick for those reviewed. */
export function ManualItems<Shown extends ShownItem>({
  items,
  children,
}: {
  items: readonly Shown[];
  /** Buttons for an item. */
  children?: (shown: Shown) => ReactNode;
}) {
  const { isTicked, tick } = useTicks();
  // ordered by the state when first shown: items must not move while the user works through them
  const ranks = useRef(new Map<string, number>());
  const rankOf = ({ item, state }: ShownItem) => {
    const rank = ranks.current.get(item.id) ?? order.indexOf(state);
    ranks.current.set(item.id, rank);
    return rank;
  };
  const sorted = items.toSorted((left, right) => rankOf(left) - rankOf(right));
  const reviewed = items.filter(({ item }) => isTicked(item.id)).length;
  if (items.length === 0) return <Text c="dimmed">{t('Nothing is left to people.')}</Text>;
  return (
    <>
      <Text size="sm" c="dimmed" mb="xs" role="status">
        {t('{reviewed} of {count} looked at, kept in this browser', { reviewed, count: items.length })}
      </Text>
      <Some of={sorted} what={t('items')}>
        {(shown) => (
          <ul className={classes.list}>
            {shown.map((each) => {
              const { item, state, mark } = each;
              return (
                <li key={item.id} className={classes.item}>
                  <Checkbox
                    checked={isTicked(item.id)}
                    onChange={({ currentTarget }) => tick(item.id, currentTarget.checked)}
                    aria-label={t('Looked at {item}', { item: describePlace(item) })}
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
