import { Stack, Text } from '@mantine/core';
import { useEffect, useRef } from 'react';
import type { AnswerOf } from '../../../api/api.ts';
import { Block } from '../../../kit/block.tsx';
import { locale } from '../../../kit/language.ts';
import surfaces from '../../../kit/surfaces.module.css';
import { t } from '../../../kit/translate.ts';
import { ColourBadge } from '../../../parts/badges.tsx';
import classes from '../integrations.module.css';
import { nameItem } from './own-source.ts';

const states = {
  passed: [t('Passed'), 'green'],
  warning: [t('Look at this'), 'yellow'],
  failed: [t('Failed'), 'red'],
} as const;

/** What was tried, what to do about it, and the first items that the source answered. */
export function SourceChecks({ checked: { checks, sample } }: { checked: AnswerOf<'checkSource'> }) {
  const start = useRef<HTMLDivElement>(null);
  // the form above it is longer than a screen
  useEffect(() => {
    start.current?.scrollIntoView({ block: 'center' });
  }, []);
  return (
    <Block title={t('Check')}>
      <Stack gap="sm" ref={start}>
        <ul className={classes.spaced} aria-label={t('What was tried')} aria-live="polite">
          {checks.map(({ name, state, message, fix }) => (
            <li key={`${name} ${message}`}>
              <ColourBadge colour={states[state][1]}>{states[state][0]}</ColourBadge> {message}
              {fix && (
                <Text size="sm" c="dimmed">
                  {fix}
                </Text>
              )}
            </li>
          ))}
        </ul>
        {sample.items.length > 0 && (
          <section aria-label={t('First items')}>
            <Text size="sm">
              {t('{word}, as the mapping sees them:', {
                word:
                  sample.total === null
                    ? t('The first items')
                    : t('The first {count} of {total}', {
                        count: sample.items.length.toLocaleString(locale),
                        total: sample.total.toLocaleString(locale),
                      }),
              })}
            </Text>
            {sample.items.map((item) => (
              <details key={String(item['key'])} className={classes.opened}>
                <summary>{nameItem(item)}</summary>
                {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls has to be reachable by keys */}
                <pre className={surfaces.pre} tabIndex={0}>
                  {JSON.stringify(item['document'], null, 2)}
                </pre>
              </details>
            ))}
          </section>
        )}
      </Stack>
    </Block>
  );
}
