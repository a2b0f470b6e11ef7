import { ActionIcon, Button } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { Workflow } from 'lucide-react';
import { useChange } from '../../api/query.ts';
import { useToast } from '../../kit/toasts.tsx';
import { t } from '../../kit/translate.ts';
import { NeedsOperation } from '../access/needs.tsx';
import { proposalAddress } from '../workflows/workflow-links.ts';

/** Proposes a workflow that does again what an answer did, and opens the proposal. */
export function MakeWorkflow({ invocation, isIcon = false }: { invocation: string; isIcon?: boolean }) {
  const propose = useChange('proposeWorkflowOfInvocation', { staleAfter: ['listWorkflowProposals'] });
  const navigate = useNavigate();
  const toast = useToast();
  const press = () =>
    propose.mutate(
      { params: { invocation_identifier: invocation } },
      {
        onSuccess: ({ proposal }) => void navigate(proposalAddress(proposal.identifier)),
        onError: (error) => toast({ text: error.message, kind: 'failure' }),
      },
    );
  const label = t('Make this a workflow');
  return (
    <NeedsOperation operation="proposeWorkflowOfInvocation" to={t('propose workflows')}>
      {isIcon ? (
        <ActionIcon size="sm" aria-label={label} title={label} loading={propose.isPending} onClick={press}>
          <Workflow size={14} />
        </ActionIcon>
      ) : (
        <Button
          variant="default"
          leftSection={<Workflow size={16} aria-hidden="true" />}
          loading={propose.isPending}
          onClick={press}
        >
          {label}
        </Button>
      )}
    </NeedsOperation>
  );
}
