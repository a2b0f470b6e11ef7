import { Checkbox, Text } from '@mantine/core';
import { ColourBadge } from '../../parts/badges.tsx';
import { CopyValue } from '../../parts/copy-value.tsx';
import { BeforeAfter } from './before-after.tsx';
import { inWords, type ManualItem, placeOf } from './manual-item.ts';
import classes from './migration.module.css';
import { Some } from './more.tsx';
import { useTicks } from './ticks.ts';

const words: Readonly<Record<string, { readonly word: string; readonly colour: string }>> = {
  breaks: { word: 'Breaks', colour: 'red' },
  review: { word: 'Look at it', colour: 'gold' },
  mentions: { word: 'Only mentions teams', colour: 'darkGray' },
  done: { word: 'Done', colour: 'green' },
  broken: { word: 'Still there', colour: 'red' },
};
const order = ['broken', 'breaks', 'review', 'mentions', 'done'];

export interface ShownItem {
  readonly item: ManualItem;
  /** The verdict before the migration, the state after it. */
  readonly state: string;
}

/** What is left to people: where, why, what is there, what to write instead; ticked once somebody looked at it. */
export function ManualItems({ items }: { items: readonly ShownItem[] }) {
  const { isTicked, tick } = useTicks();
  const sorted = items.toSorted((left, right) => order.indexOf(left.state) - order.indexOf(right.state));
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
            {shown.map(({ item, state }) => (
              <li key={item.id} className={classes.item}>
                <Checkbox
                  checked={isTicked(item.id)}
                  onChange={({ currentTarget }) => tick(item.id, currentTarget.checked)}
                  aria-label={`Looked at ${placeOf(item)}`}
                />
                <Item item={item} state={state} />
              </li>
            ))}
          </ul>
        )}
      </Some>
    </>
  );
}

function Item({ item, state }: ShownItem) {
  const { word, colour } = words[state] ?? { word: inWords(state), colour: 'darkGray' };
  const { suggestion } = item;
  const text = typeof suggestion?.value === 'string' ? suggestion.value : JSON.stringify(suggestion?.value, null, 2);
  return (
    <details className={classes.details} open={isUrgent(state)}>
      <summary>
        <span className={classes.name} dir="auto">
          {inWords(item.area)} · {item.title}
        </span>{' '}
        <ColourBadge colour={colour}>{word}</ColourBadge>
        <div className={classes.note}>{placeOf(item)}</div>
      </summary>
      <div className={classes.inside}>
        <Text size="sm">{item.why}</Text>
        {suggestion ? (
          <>
            <BeforeAfter before={item.before} after={suggestion.value} label={placeOf(item)} />
            <Text size="sm" c="dimmed">
              {suggestion.explanation}
              {suggestion.value !== null && <CopyValue value={text} what="the suggestion" />}
            </Text>
          </>
        ) : (
          <code className={classes.before}>
            {typeof item.before === 'string' ? item.before : JSON.stringify(item.before)}
          </code>
        )}
      </div>
    </details>
  );
}

/** What breaks is shown open. */
function isUrgent(state: string): boolean {
  return state === 'breaks' || state === 'broken';
}
