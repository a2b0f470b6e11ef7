import { Badge, Group, Text } from '@mantine/core';
import type { AnswerOf } from '../../api/api.ts';
import { useRead } from '../../api/query.ts';
import { ButtonLink } from '../../frame/links.tsx';
import { Reading, TextSkeleton } from '../../kit/states.tsx';
import { t } from '../../kit/translate.ts';
import { proposalAddress } from './workflow-links.ts';

export type WorkflowProposal = AnswerOf<'getWorkflowProposal'>['proposal'];

/** The name of the workflow that would come of a proposal. */
export function proposalTitle({ workflow }: Pick<WorkflowProposal, 'workflow'>): string {
  return workflow.title || workflow.identifier;
}

export function ProposalState({ state }: Pick<WorkflowProposal, 'state'>) {
  const look = {
    OPEN: { color: 'yellow', label: t('Waits for a decision') },
    ACCEPTED: { color: 'green', label: t('Accepted') },
    DISMISSED: { color: 'gray', label: t('Dismissed') },
    EXPIRED: { color: 'gray', label: t('Expired') },
  }[state];
  return (
    <Badge variant="light" color={look.color}>
      {look.label}
    </Badge>
  );
}

/** A workflow that the assistant proposes, in its answer. */
export function ProposalCard({ id, className }: { id: string; className?: string | undefined }) {
  const read = useRead('getWorkflowProposal', { params: { proposal: id } }, { everyMs: 10_000 });
  return (
    <Reading of={read} skeleton={<TextSkeleton lines={3} />}>
      {({ proposal }) => (
        <section className={className} aria-label={t('Proposed workflow: {title}', { title: proposalTitle(proposal) })}>
          <Group gap="xs" mb="xs">
            <strong dir="auto">{proposalTitle(proposal)}</strong>
            <ProposalState state={proposal.state} />
          </Group>
          <Text size="sm" dir="auto">
            {proposal.goal}
          </Text>
          <Text size="xs" c="dimmed" mb="xs">
            {proposal.baseVersion === null
              ? t('A new workflow. Nothing is saved before somebody accepts it.')
              : t('A change of version {version}. Nothing is saved before somebody accepts it.', {
                  version: proposal.baseVersion,
                })}
          </Text>
          <ButtonLink {...proposalAddress(id)} size="xs" variant="default">
            {t('Look at it')}
          </ButtonLink>
        </section>
      )}
    </Reading>
  );
}
