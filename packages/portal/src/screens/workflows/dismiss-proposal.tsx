import { Button, Group, Stack, Textarea } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useChange } from '../../api/query.ts';
import { Dialog } from '../../kit/dialog.tsx';
import { useToast } from '../../kit/toasts.tsx';
import { t } from '../../kit/translate.ts';

/** Dismisses a proposed workflow, with a reason for whoever proposed it if there is one. */
export function DismissProposal({ proposal }: { proposal: string }) {
  const [isOpen, setOpen] = useState(false);
  const [reason, setReason] = useState('');
  const dismiss = useChange('dismissWorkflowProposal', {
    staleAfter: ['listWorkflowProposals', 'getWorkflowProposal'],
  });
  const navigate = useNavigate();
  const toast = useToast();
  const send = () => {
    const comment = reason.trim();
    dismiss.mutate(
      { params: { proposal }, body: comment === '' ? {} : { comment } },
      {
        onSuccess: () => {
          toast(t('The proposal was dismissed'));
          void navigate({ to: '/workflows' });
        },
        onError: (error) => toast({ text: error.message, kind: 'failure' }),
      },
    );
  };
  return (
    <>
      <Button variant="default" onClick={() => setOpen(true)}>
        {t('Dismiss')}
      </Button>
      <Dialog opened={isOpen} onClose={() => setOpen(false)} title={t('Dismiss the proposal')}>
        <form
          onSubmit={(event) => {
            event.preventDefault();
            send();
          }}
        >
          <Stack>
            <Textarea
              label={t('Reason')}
              description={t('Kept with the proposal, for the person who made it')}
              autosize
              minRows={2}
              maxRows={8}
              maxLength={1000}
              value={reason}
              data-autofocus
              onChange={({ currentTarget }) => setReason(currentTarget.value)}
            />
            <Group justify="flex-end">
              <Button variant="default" onClick={() => setOpen(false)}>
                {t('Cancel')}
              </Button>
              <Button type="submit" loading={dismiss.isPending} data-operation="dismissWorkflowProposal">
                {t('Dismiss the proposal')}
              </Button>
            </Group>
          </Stack>
        </form>
      </Dialog>
    </>
  );
}
