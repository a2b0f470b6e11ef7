import { Alert, Text } from '@mantine/core';
import { CircleCheck, CircleX } from 'lucide-react';
import type { AnswerOf } from '../../api/api.ts';
import { Block } from '../../kit/block.tsx';
import surfaces from '../../kit/surfaces.module.css';
import { t } from '../../kit/translate.ts';
import { ColourBadge } from '../../parts/badges.tsx';
import classes from './automations.module.css';

type Test = AnswerOf<'testAutomation'>['test'];

/** Whether the automation would run, why, and what it would send. */
export function TestResult({ test }: { test: Test }) {
  const { matches, isPublished, trigger, condition, request, problems } = test;
  return (
    <>
      <Alert
        role="status"
        color={matches ? 'green' : 'yellow'}
        title={
          matches ? (isPublished ? t('Would run') : t('Would run, but the automation is paused')) : t('Would not run')
        }
      >
        {matches ? t('This is what happened, and the condition holds.') : whyNot(test)}
      </Alert>
      <Block title={t('Why')}>
        <ul className={classes.checks}>
          <li>
            <Mark isGood={trigger.matches} good={t('Waits for it')} bad={t('Does not wait for it')} />
            {trigger.reason && <Text size="sm">{trigger.reason}</Text>}
          </li>
          {condition.expressions.length === 0 ? (
            <li>
              <Text size="sm" c="dimmed">
                {t('There is no condition.')}
              </Text>
            </li>
          ) : (
            condition.expressions.map(({ expression, holds, result, error }, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: an expression has no name but its place
              <li key={index}>
                <Mark isGood={holds} good={t('Holds')} bad={t('Does not hold')} /> <code>{expression}</code>
                <Text size="sm" {...(error ? { c: 'var(--danger)' } : { c: 'dimmed' })}>
                  {error ?? t('gives {word}', { word: result === undefined ? t('nothing') : shortened(result) })}
                </Text>
              </li>
            ))
          )}
          {condition.expressions.length > 1 && (
            <li>
              <Text size="sm" c="dimmed">
                {condition.combinator === 'and' ? t('All must hold.') : t('One is enough.')}
              </Text>
            </li>
          )}
        </ul>
      </Block>
      <Block title={t('What would be sent')}>
        {problems.length > 0 && (
          <ul className={classes.problems}>
            {problems.map((problem) => (
              <li key={problem}>{problem}</li>
            ))}
          </ul>
        )}
        {request === null ? (
          <Text size="sm">{t('This event cannot produce the request.')}</Text>
        ) : (
          // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keys
          <pre className={surfaces.pre} tabIndex={0}>
            {JSON.stringify(request, null, 2)}
          </pre>
        )}
      </Block>
    </>
  );
}

function whyNot({ trigger, condition }: Test): string {
  if (trigger.reason) return trigger.reason;
  const failed = condition.expressions.filter(({ holds }) => !holds);
  return failed.length === 1
    ? t('One condition does not hold.')
    : t('{count} conditions do not hold.', { count: failed.length });
}

function Mark({ isGood, good, bad }: { isGood: boolean; good: string; bad: string }) {
  return (
    <ColourBadge colour={isGood ? 'green' : 'red'} icon={isGood ? CircleCheck : CircleX}>
      {isGood ? good : bad}
    </ColourBadge>
  );
}

function shortened(value: unknown): string {
  const text = JSON.stringify(value);
  return text.length > 200 ? `${text.slice(0, 200)}…` : text;
}
