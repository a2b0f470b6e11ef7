import { Text } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { CopyValue } from '../../kit/copy-value.tsx';
import { Sentence } from '../../kit/sentence.tsx';
import { t } from '../../kit/translate.ts';
import { ColourBadge } from '../../parts/badges.tsx';
import { BeforeAfter, written } from './before-after.tsx';
import { describePlace, inWords, isSame, type ManualItem } from './manual-item.ts';
import classes from './migration.module.css';
import { Rewrite } from './rewrite.tsx';

const words: Readonly<Record<string, { readonly word: string; readonly colour: string }>> = {
  breaks: { word: t('Breaks'), colour: 'red' },
  review: { word: t('Look at it'), colour: 'gold' },
  mentions: { word: t('Only mentions teams'), colour: 'darkGray' },
  done: { word: t('Done'), colour: 'green' },
  broken: { word: t('Still there'), colour: 'red' },
};

export interface ShownItem {
  readonly item: ManualItem;
  /** The verdict before the migration, the state after it. */
  readonly state: string;
  /** The state of its suggestion in a word or two. */
  readonly mark?: string;
}

/** A place that needs a manual change: where, why, the present value, the suggestion, and what to do. */
export function ItemCard({ item, state, mark, children }: ShownItem & { children?: ReactNode }) {
  const { word, colour } = words[state] ?? { word: inWords(state), colour: 'darkGray' };
  const { suggestion, sample } = item;
  // read once: an item resolved while open stays open
  const [isOpen] = useState(() => isUrgent(state));
  return (
    <details className={classes.details} open={isOpen}>
      <summary>
        <span className={classes.name} dir="auto">
          {inWords(item.area)} · {item.title}
        </span>{' '}
        <ColourBadge colour={colour}>{word}</ColourBadge> {mark && <ColourBadge colour="blue">{mark}</ColourBadge>}
        <div className={classes.note}>{describePlace(item)}</div>
      </summary>
      <div className={classes.inside}>
        <Text size="sm">{item.why}</Text>
        {suggestion ? (
          <>
            <Rewrite
              before={item.before}
              after={suggestion.value}
              label={t('Suggested for {element}', { element: item.element ?? item.title })}
            />
            <Text size="sm" c="dimmed">
              {suggestion.explanation}
              {suggestion.value !== null && <CopyValue value={written(suggestion.value)} what={t('the suggestion')} />}
            </Text>
          </>
        ) : (
          <code className={classes.before}>{written(item.before)}</code>
        )}
        {sample && <Sample sample={sample} isSuggested={suggestion !== undefined} />}
        {children}
      </div>
    </details>
  );
}

/** The result of the expression on an example entity or user, before and after. */
function Sample({ sample, isSuggested }: { sample: NonNullable<ManualItem['sample']>; isSuggested: boolean }) {
  const { of, before, after } = sample;
  const how = isSuggested ? t('as it is suggested') : t('as it is');
  if (isSame(before, after)) {
    return (
      <Text size="sm" c="dimmed">
        <Sentence
          text="On {of} it gives the same, now and afterwards {how}: <code/>"
          values={{ of, how }}
          parts={{ code: <code>{written(before, 'null')}</code> }}
        />
      </Text>
    );
  }
  return (
    <div>
      <Text size="sm" c="dimmed">
        {t('On {of}, now and afterwards {how}:', { of, how })}
      </Text>
      <BeforeAfter before={before} after={after} label={t('value on {of}', { of })} empty="null" />
    </div>
  );
}

/** Items that break are open at first. */
function isUrgent(state: string): boolean {
  return state === 'breaks' || state === 'broken';
}
