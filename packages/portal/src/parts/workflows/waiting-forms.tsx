import { Button, Text } from '@mantine/core';
import { useState } from 'react';
import type { AnswerOf } from '../../api/api.ts';
import { useRead } from '../../api/query.ts';
import { AnchorLink } from '../../frame/links.tsx';
import { RelativeTime } from '../../kit/relative-time.tsx';
import { Reading, TextSkeleton } from '../../kit/states.tsx';
import { t } from '../../kit/translate.ts';
import { PersonBadge, StatusBadge } from '../badges.tsx';
import { RespondForm, waitingInput } from './respond-form.tsx';
import { runState, waitLabel } from './run-words.ts';
import { workflowRunAddress } from './workflow-links.ts';

type WaitingRun = AnswerOf<'listWorkflowRuns'>['runs'][number];

/** The name of the workflow of a run, as people call it. */
export function workflowName({ workflow }: Pick<WaitingRun, 'workflow'>): string {
  const { title } = workflow as { title?: string | null };
  return title || workflow.identifier;
}

/** A run of a workflow that waits for a form of the user, which opens in place. */
export function WaitingForm({
  run,
  className,
  headClassName,
}: {
  run: WaitingRun;
  className?: string | undefined;
  headClassName?: string | undefined;
}) {
  const [isOpen, setOpen] = useState(false);
  const { identifier, createdBy, createdAt, currentNode, statusLabel } = run;
  const name = workflowName(run);
  return (
    <li className={className}>
      <div className={headClassName}>
        <div style={{ flex: 1, minWidth: 0 }}>
          <AnchorLink {...workflowRunAddress(identifier)} fw={550} c="var(--text)" dir="auto">
            {name}
          </AnchorLink>
          <Text size="sm" c="dimmed" component="div">
            <StatusBadge status={runState(run)} label={statusLabel?.text ?? waitLabel(run)} /> {currentNode} ·{' '}
            <PersonBadge email={createdBy} /> · <RelativeTime at={createdAt} />
          </Text>
        </div>
        <Button
          variant="default"
          size="xs"
          aria-expanded={isOpen}
          aria-label={isOpen ? t('Close {title}', { title: name }) : t('Respond to {title}', { title: name })}
          onClick={() => setOpen(!isOpen)}
        >
          {isOpen ? t('Close') : t('Respond')}
        </Button>
      </div>
      {isOpen && <OpenForm id={identifier} />}
    </li>
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
