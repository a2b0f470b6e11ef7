import { Group, Stack, Text, Title } from '@mantine/core';
import type { AnswerOf } from '../../api/api.ts';
import { RelativeTime } from '../../kit/relative-time.tsx';
import { Sentence } from '../../kit/sentence.tsx';
import { plural, t } from '../../kit/translate.ts';
import { StatusBadge } from '../../parts/badges.tsx';
import { EntityAnchor } from '../../parts/entity-anchor.tsx';
import classes from './invocations.module.css';

type Runs = AnswerOf<'getInvocationEvidence'>['evidence']['runs'];

/** The effects of a question: runs, their approvals, and the changes they made. */
export function Evidence({ runs }: { runs: Runs }) {
  if (runs.length === 0) return null;
  return (
    <section className={classes.card} aria-label={t('What changed because of it')}>
      <Title order={2} size="h4" mb="xs">
        {t('What changed because of it')}
      </Title>
      <Stack gap="md">
        {runs.map(({ run, approvals, entities, audits }) => (
          <div key={run.id}>
            <Group gap={8}>
              <strong>{runTitle(run.action) ?? run.id}</strong>
              <StatusBadge status={run.status} label={run.statusLabel} />
              <RelativeTime at={run.createdAt} />
            </Group>
            <ul>
              {approvals.map(({ userId, state, description, at, gate }) => (
                <li key={`${gate} ${userId} ${at}`}>
                  <Sentence
                    text="{word} {word2}by {userId}, <time/>"
                    values={{
                      word: state === 'APPROVED' ? t('Approved') : t('Declined'),
                      word2: gate === 'DRAFT' ? `${t('as a draft')} ` : '',
                      userId,
                    }}
                    parts={{ time: <RelativeTime at={at} /> }}
                  />
                  {description && (
                    <Text size="sm" c="dimmed">
                      {description}
                    </Text>
                  )}
                </li>
              ))}
              {entities.map(({ blueprint, identifier, action, at }) => (
                <li key={`${blueprint} ${identifier}`}>
                  {actionWord(action)} <EntityAnchor blueprint={blueprint} identifier={identifier} /> ({blueprint}),{' '}
                  <RelativeTime at={at} />
                </li>
              ))}
              {audits.length > 0 && (
                <li>{plural(audits.length, '{count} record in the audit log', '{count} records in the audit log')}</li>
              )}
            </ul>
          </div>
        ))}
      </Stack>
    </section>
  );
}

function runTitle(thing: Runs[number]['run']['action']): string | undefined {
  return typeof thing === 'string' ? thing : (thing.title ?? thing.identifier);
}

function actionWord(action: string): string {
  return { CREATE: t('Created'), UPDATE: t('Changed'), DELETE: t('Deleted') }[action.toUpperCase()] ?? action;
}
