import { Alert, Button, Group, Stack, Text, TextInput } from '@mantine/core';
import type { UserInputs } from '@portolan/contract/action-inputs';
import { useState } from 'react';
import { type AnswerOf, errorCode } from '../../api/api.ts';
import { useChange, useRead } from '../../api/query.ts';
import { AnchorLink } from '../../frame/links.tsx';
import { RelativeTime } from '../../kit/relative-time.tsx';
import { ErrorState, Reading, TextSkeleton } from '../../kit/states.tsx';
import { t } from '../../kit/translate.ts';
import { CallOrigins } from '../ai/call-origins.tsx';
import { PersonBadge, StatusBadge } from '../badges.tsx';
import { RunInputs } from '../run-inputs.tsx';
import { WaitingItem, type WaitingPlace } from './waiting-item.tsx';
import { workflowRunAddress } from './workflow-links.ts';

export type WorkflowDraft = AnswerOf<'getWorkflowDraft'>['draft'];

const reads = ['getWorkflowDraft', 'listWorkflowDrafts', 'getWorkflowRun', 'listWorkflowRuns'] as const;

/** The name of the workflow that a draft would start. */
export function draftTitle({ workflow }: Pick<WorkflowDraft, 'workflow'>): string {
  return workflow.title || workflow.identifier;
}

/** A run that a tool asked for, with its decision; in an answer of the assistant, and on the page of the run. */
export function WorkflowDraftCard({
  id,
  className,
  isBare = false,
}: {
  id: string;
  className?: string | undefined;
  /** Its title and state stand above it. */
  isBare?: boolean;
}) {
  const read = useRead('getWorkflowDraft', { params: { run_id: id } }, { everyMs: 5_000 });
  return (
    <Reading of={read} skeleton={<TextSkeleton lines={4} />}>
      {({ draft }) => (
        <section className={className} aria-label={t('Draft: {title}', { title: draftTitle(draft) })}>
          {!isBare && (
            <Group gap="xs" mb="xs">
              <strong dir="auto">{draftTitle(draft)}</strong>
              <StatusBadge status={draft.state === 'STARTED' ? 'APPROVED' : draft.state} />
            </Group>
          )}
          <DecideWorkflowDraft draft={draft} />
        </section>
      )}
    </Reading>
  );
}

/** The exact inputs of a draft, why a person decides, and the decision on what is shown here. */
function DecideWorkflowDraft({ draft }: { draft: WorkflowDraft }) {
  const [comment, setComment] = useState('');
  const decide = useChange('decideWorkflowDraft', { staleAfter: [...reads] });
  const send = (status: 'APPROVE' | 'DECLINE') => {
    const description = comment.trim();
    const body = { status, inputsHash: draft.inputsHash, ...(description ? { description } : {}) };
    decide.mutate({ params: { run_id: draft.identifier }, body });
  };
  const isOpen = draft.state === 'DRAFT';
  return (
    <Stack gap="sm">
      {draft.reason && (
        <Text size="sm" dir="auto">
          {draft.reason}
        </Text>
      )}
      <RunInputs values={draft.inputs} form={draft.userInputs as unknown as UserInputs} />
      <CallOrigins run={draft} />
      {isOpen && draft.obstacle && (
        <Alert color="yellow" title={t('This cannot be approved')}>
          {draft.obstacle}
        </Alert>
      )}
      {decide.error && errorCode(decide.error) !== undefined && (
        <ErrorState error={decide.error} what={t('Nothing was changed')} />
      )}
      {isOpen && draft.mayDecide && (
        <>
          <TextInput
            size="xs"
            label={t('Comment')}
            placeholder={t('Kept with the decision')}
            value={comment}
            onChange={({ currentTarget }) => setComment(currentTarget.value)}
            maxLength={5000}
          />
          <Group gap="xs">
            <Button
              size="xs"
              loading={decide.isPending}
              disabled={draft.obstacle !== undefined}
              onClick={() => send('APPROVE')}
            >
              {t('Approve and run')}
            </Button>
            <Button size="xs" variant="subtle" color="red" disabled={decide.isPending} onClick={() => send('DECLINE')}>
              {t('Decline')}
            </Button>
          </Group>
        </>
      )}
      {isOpen ? (
        <Text size="xs" c="dimmed">
          {t('Nothing runs before somebody approves.')} {t('Expires')} <RelativeTime at={draft.expiresAt} />
        </Text>
      ) : (
        <Outcome draft={draft} />
      )}
    </Stack>
  );
}

function Outcome({ draft }: { draft: WorkflowDraft }) {
  return (
    <Text size="sm" component="div" role="status">
      {draft.state === 'STARTED' ? (
        <AnchorLink {...workflowRunAddress(draft.identifier)}>{t('Approved: see the run')}</AnchorLink>
      ) : (
        t('Declined or expired. Nothing ran.')
      )}
      {draft.decidedBy && (
        <>
          {' '}
          <PersonBadge email={draft.decidedBy} />
        </>
      )}
      {draft.comment && <div dir="auto">{draft.comment}</div>}
    </Text>
  );
}

/** A draft in the list of what waits, which opens in place. */
export function WaitingDraft({ draft, ...place }: WaitingPlace & { draft: WorkflowDraft }) {
  const { identifier, state, createdBy, createdAt } = draft;
  const title = draftTitle(draft);
  return (
    <WaitingItem
      {...place}
      run={identifier}
      title={title}
      facts={
        <>
          <StatusBadge status={state} /> <PersonBadge email={createdBy} /> · <RelativeTime at={createdAt} />
        </>
      }
      verb={t('Review')}
      labels={{ open: `${t('Review')} ${title}`, close: `${t('Close')} ${title}` }}
    >
      <WorkflowDraftCard id={identifier} isBare />
    </WaitingItem>
  );
}
