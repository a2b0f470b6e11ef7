import { Text } from '@mantine/core';
import type { AnswerOf } from '../../api/api.ts';
import { t } from '../../kit/translate.ts';
import classes from './ai.module.css';

type Run = AnswerOf<'getRun'>['run'];
type Decision = NonNullable<Run['decision']>;
type Origin = Decision['origins'][string];

/** Where an assistant took the entity and each input of a run from, and who wrote what it read. */
export function CallOrigins({ run }: { run: Pick<Run, 'decision'> }) {
  const { decision } = run;
  if (!decision) return null;
  const origins = Object.entries(decision.origins);
  return (
    <div className={classes.origins}>
      {decision.observed && (
        <Text size="sm" role="note">
          {t('The call ran because the rule is only observed. Enforced, it would have waited: {reason}.', {
            reason: decision.observed.reason,
          })}
        </Text>
      )}
      {origins.length > 0 && (
        <>
          <Text size="sm" fw={600}>
            {t('Where the values come from')}
          </Text>
          <ul>
            {origins.map(([key, origin]) => (
              <li key={key}>
                <bdi>{key === '$entity' ? t('Entity') : key}</bdi>: {nameOrigin(origin)}
              </li>
            ))}
          </ul>
        </>
      )}
      {decision.label.length > 0 && (
        <Text size="sm" c="dimmed">
          {t('Read before: text of {authors}.', { authors: decision.label.map(nameAuthor).join(', ') })}
        </Text>
      )}
    </div>
  );
}

function nameOrigin({ from, tool, authors = [] }: Origin): string {
  if (from === 'read') {
    const named = authors.map(nameAuthor).join(', ');
    return t('read with {tool}, text of {authors}', { tool: tool ?? '', authors: named || t('the platform') });
  }
  return {
    question: t('the question'),
    context: t('what the person looked at'),
    agent: t('prompt of the agent'),
    default: t('default of the form'),
    closed: t('a number, a date or a choice, which can hold no order'),
    model: t('made up by the model'),
    person: t('filled in by a person'),
  }[from];
}

/** What an author is called: `person:mia@example.com` is the address. */
function nameAuthor(author: string): string {
  if (author === 'platform') return t('the platform');
  if (author === 'outside') return t('somebody outside');
  if (author === '*') return t('others');
  const [, kind, source] = /^source:(\w+)\/\d+\/(.+)$/s.exec(author) ?? [];
  if (source !== undefined) return t('the trusted {kind} {source}', { kind: kinds[kind ?? ''] ?? '', source });
  return author.replace(/^(person|credential):/, '');
}

const kinds: Readonly<Record<string, string>> = {
  integration: t('integration'),
  webhook: t('webhook'),
  source: t('source'),
};
