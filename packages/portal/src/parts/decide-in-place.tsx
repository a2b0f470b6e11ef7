import { Button, Group } from '@mantine/core';
import { errorCode, errorStatus } from '../api/api.ts';
import { useChange, useRead, useRefresh } from '../api/query.ts';
import { useToast } from '../kit/toasts.tsx';
import { t } from '../kit/translate.ts';
import { decisionReads } from './decision-reads.ts';
import { approveVerb, type Effect } from './effect/effect-sentence.ts';

/**
 * Approves or rejects a waiting run beside the sentence that says what will happen. Nothing where that sentence is not
 * the whole of it: such a run, and a draft, which may change while it is read, is decided on its own page.
 */
export function DecideInPlace({
  run,
  title,
  onDecided,
}: {
  run: string;
  title: string;
  /** The row is about to go. */
  onDecided: () => void;
}) {
  const { data } = useRead('getRunDecision', { params: { run_id: run } });
  const decide = useChange('decideRun', { staleAfter: [...decisionReads] });
  const refresh = useRefresh();
  const toast = useToast();
  const decision = data?.decision;
  if (!decision?.mayDecide || decision.obstacle || decision.problems.length > 0 || !isWhole(decision.effect))
    return null;
  // not in the callbacks of `mutate`: they are skipped once the refetched list unmounts this row
  const send = async (status: 'APPROVE' | 'DECLINE') => {
    try {
      await decide.mutateAsync({ params: { run_id: run }, body: { status } });
      onDecided();
      toast(status === 'APPROVE' ? t('Approved') : t('Rejected'));
    } catch (error) {
      const isOver = errorCode(error as Error) === 'run_ended';
      toast({ text: isOver ? t('Somebody has decided already.') : (error as Error).message, kind: 'failure' });
      if (errorStatus(error as Error) === 409) void refresh(decisionReads);
    }
  };
  const verb = approveVerb(decision.effect, false);
  return (
    <Group gap="xs" mt="xs">
      <Button
        size="xs"
        variant="default"
        loading={decide.isPending}
        aria-label={`${verb}: ${title}`}
        onClick={() => void send('APPROVE')}
      >
        {verb}
      </Button>
      <Button
        size="xs"
        variant="subtle"
        color="gray"
        disabled={decide.isPending}
        aria-label={t('Reject: {title}', { title })}
        onClick={() => void send('DECLINE')}
      >
        {t('Reject')}
      </Button>
    </Group>
  );
}

/** Whether the sentence leaves nothing out that somebody would want to know. */
function isWhole(effect: Effect | undefined): boolean {
  return (
    effect?.certainty === 'exact' &&
    !effect.isPartial &&
    effect.problems.length === 0 &&
    effect.referencedBy.length === 0
  );
}
