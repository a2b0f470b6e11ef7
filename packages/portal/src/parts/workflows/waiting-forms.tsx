import { Text } from '@mantine/core';
import type { AnswerOf } from '../../api/api.ts';
import { useRead } from '../../api/query.ts';
import { RelativeTime } from '../../kit/relative-time.tsx';
import { Reading, TextSkeleton } from '../../kit/states.tsx';
import { t } from '../../kit/translate.ts';
import { PersonBadge, StatusBadge } from '../badges.tsx';
import { RespondForm, waitingInput } from './respond-form.tsx';
import { runState, waitLabel } from './run-words.ts';
import { WaitingItem, type WaitingPlace } from './waiting-item.tsx';

type WaitingRun = AnswerOf<'listWorkflowRuns'>['runs'][number];

/** The name of the workflow of a run, as people call it. */
export function workflowName({ workflow }: Pick<WaitingRun, 'workflow'>): string {
  const { title } = workflow as { title?: string | null };
  return title || workflow.identifier;
}

/** A run of a workflow that waits for a form of the user, which opens in place. */
export function WaitingForm({ run, ...place }: WaitingPlace & { run: WaitingRun }) {
  const { identifier, createdBy, createdAt, currentNode, statusLabel } = run;
  const name = workflowName(run);
  return (
    <WaitingItem
      {...place}
      run={identifier}
      title={name}
      facts={
        <>
          <StatusBadge status={runState(run)} label={statusLabel?.text ?? waitLabel(run)} /> {currentNode} ·{' '}
          <PersonBadge email={createdBy} /> · <RelativeTime at={createdAt} />
        </>
      }
      verb={t('Respond')}
      labels={{ open: t('Respond to {title}', { title: name }), close: t('Close {title}', { title: name }) }}
    >
      <OpenForm id={identifier} />
    </WaitingItem>
  );
}

/** Reads the run again: the form is filled in exactly as it is now. */
function OpenForm({ id }: { id: string }) {
  const read = useRead('getWorkflowRun', { params: { run_id: id }, query: {} }, { everyMs: 10_000 });
  return (
    <div style={{ padding: '12px 0' }}>
      <Reading of={read} skeleton={<TextSkeleton lines={4} />}>
        {({ run }) => {
          const input = waitingInput(run);
          return input ? <RespondForm nodeRun={input} /> : <Text>{t('The run does not wait any more.')}</Text>;
        }}
      </Reading>
    </div>
  );
}
