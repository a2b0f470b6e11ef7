import { Alert, Button, Group, Stack, Text } from '@mantine/core';
import { useChange } from '../../../api/query.ts';
import { useToast } from '../../../kit/toasts.tsx';
import { t } from '../../../kit/translate.ts';
import { NeedsOperation } from '../../../parts/access/needs.tsx';
import type { WorkflowRun } from '../../../parts/workflows/respond-form.tsx';

/** What a run failed to undo, and another attempt at one of them or at all. */
export function UndoAgain({ run }: { run: WorkflowRun }) {
  const repeat = useChange('repeatCompensations', {
    staleAfter: ['getWorkflowRun', 'listWorkflowRuns', 'getWorkflowRunLogs'],
  });
  const toast = useToast();
  if (run.failedCompensations.length === 0) return null;
  const failed = run.nodeRuns.filter(({ identifier }) => run.failedCompensations.includes(identifier));
  // naming them keeps a second click, or another person, from repeating what was repeated
  const start = (nodeRunIdentifiers: readonly string[]) =>
    repeat.mutate(
      { params: { run_id: run.identifier }, body: { nodeRunIdentifiers: [...nodeRunIdentifiers] } },
      {
        onSuccess: () => toast(t('What failed is being undone again')),
        onError: (error) => toast({ text: error.message, kind: 'failure' }),
      },
    );
  const titleOf = (id: string | null) => {
    const step = run.nodeRuns.find(({ identifier }) => identifier === id);
    return step ? step.nodeTitle || step.node.identifier : '';
  };
  return (
    <Alert color="red" title={t('Not everything was undone')} mb="md">
      <Stack gap="xs">
        {failed.map(({ identifier, compensates, message }) => (
          <Group key={identifier} gap="xs" justify="space-between">
            <Text size="sm" dir="auto">
              <strong>{titleOf(compensates)}</strong> {message}
            </Text>
            {failed.length > 1 && (
              <NeedsOperation operation="repeatCompensations" to={t('undo again what failed')}>
                <Button
                  size="xs"
                  variant="default"
                  disabled={repeat.isPending}
                  aria-label={t('Undo {title} again', { title: titleOf(compensates) })}
                  onClick={() => start([identifier])}
                >
                  {t('Undo again')}
                </Button>
              </NeedsOperation>
            )}
          </Group>
        ))}
        <Group>
          <NeedsOperation operation="repeatCompensations" to={t('undo again what failed')}>
            <Button size="xs" loading={repeat.isPending} onClick={() => start(run.failedCompensations)}>
              {failed.length > 1 ? t('Undo all again') : t('Undo again')}
            </Button>
          </NeedsOperation>
        </Group>
      </Stack>
    </Alert>
  );
}
