import { Group, Stack, Text, Title } from '@mantine/core';
import type { AnswerOf } from '../../api/api.ts';
import { RelativeTime } from '../../kit/relative-time.tsx';
import { StatusBadge } from '../../parts/badges.tsx';
import { EntityAnchor } from '../../parts/entity-anchor.tsx';
import classes from './invocations.module.css';

type Runs = AnswerOf<'getInvocationEvidence'>['evidence']['runs'];

/** The effects of a question: runs, their approvals, and the changes they made. */
export function Evidence({ runs }: { runs: Runs }) {
  if (runs.length === 0) return null;
  return (
    <section className={classes.card} aria-label="What changed because of it">
      <Title order={2} size="h4" mb="xs">
        What changed because of it
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
                  {state === 'APPROVED' ? 'Approved' : 'Declined'} {gate === 'DRAFT' ? 'as a draft ' : ''}by {userId},{' '}
                  <RelativeTime at={at} />
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
                <li>
                  {audits.length} {audits.length === 1 ? 'record' : 'records'} in the audit log
                </li>
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
  return { CREATE: 'Created', UPDATE: 'Changed', DELETE: 'Deleted' }[action.toUpperCase()] ?? action;
}
