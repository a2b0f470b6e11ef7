import { Stack, Text } from '@mantine/core';
import { useEffect, useRef } from 'react';
import type { AnswerOf } from '../../../api/api.ts';
import { Block } from '../../../kit/block.tsx';
import surfaces from '../../../kit/surfaces.module.css';
import { ColourBadge } from '../../../parts/badges.tsx';
import classes from '../integrations.module.css';
import { nameItem } from './own-source.ts';

const states = {
  passed: ['Passed', 'green'],
  warning: ['Look at this', 'yellow'],
  failed: ['Failed', 'red'],
} as const;

/** What was tried, what to do about it, and the first items that the source answered. */
export function SourceChecks({ checked: { checks, sample } }: { checked: AnswerOf<'checkSource'> }) {
  const start = useRef<HTMLDivElement>(null);
  // the form above it is longer than a screen
  useEffect(() => {
    start.current?.scrollIntoView({ block: 'center' });
  }, []);
  return (
    <Block title="Check">
      <Stack gap="sm" ref={start}>
        <ul className={classes.spaced} aria-label="What was tried" aria-live="polite">
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
          <section aria-label="First items">
            <Text size="sm">
              {sample.total === null
                ? 'The first items'
                : `The first ${sample.items.length.toLocaleString()} of ${sample.total.toLocaleString()}`}
              , as the mapping sees them:
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
