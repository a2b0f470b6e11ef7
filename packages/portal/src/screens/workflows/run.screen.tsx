import { Button, Group, Text } from '@mantine/core';
import { lazy, Suspense, useState } from 'react';
import { errorCode } from '../../api/api.ts';
import { useChange, useRead } from '../../api/query.ts';
import { useCommands } from '../../frame/commands.tsx';
import { AnchorLink, ButtonLink } from '../../frame/links.tsx';
import { useParam, useUrlState } from '../../frame/url-state.ts';
import { Block } from '../../kit/block.tsx';
import { useConfirm } from '../../kit/confirm.tsx';
import { CopyValue } from '../../kit/copy-value.tsx';
import { RelativeTime } from '../../kit/relative-time.tsx';
import { SegmentedControl } from '../../kit/segmented-control.tsx';
import { Reading, TextSkeleton } from '../../kit/states.tsx';
import { useToast } from '../../kit/toasts.tsx';
import { t } from '../../kit/translate.ts';
import { NeedsOperation } from '../../parts/access/needs.tsx';
import { PersonBadge, StatusBadge } from '../../parts/badges.tsx';
import { PageHeader } from '../../parts/page-header.tsx';
import { RespondForm, type WorkflowRun, waitingInput } from '../../parts/workflows/respond-form.tsx';
import { peopleInWords, runState, waitLabel, waitWords } from '../../parts/workflows/run-words.ts';
import { workflowName } from '../../parts/workflows/waiting-forms.tsx';
import { draftTitle, WorkflowDraftCard } from '../../parts/workflows/workflow-draft.tsx';
import { startAddress, workflowAddress, workflowRunAddress } from '../../parts/workflows/workflow-links.ts';
import { NodeRunDetails } from './runs/node-run-details.tsx';
import { RerunDialog } from './runs/rerun-dialog.tsx';
import { RunLog } from './runs/run-log.tsx';
import classes from './runs/runs.module.css';
import { UndoAgain } from './runs/undo-again.tsx';
import { useRunStream } from './runs/use-run-stream.ts';
import { Waterfall } from './runs/waterfall.tsx';

const RunGraph = lazy(async () => ({ default: (await import('./runs/run-graph.tsx')).RunGraph }));

/** A run of a workflow: why it waits, its steps, and the form for those who may respond. */
export function Screen() {
  const id = useParam('workflowRun');
  const read = useRead('getWorkflowRun', { params: { run_id: id }, query: {} }, { everyMs: 30_000 });
  // what a tool asked for and nobody has approved is no run yet
  if (read.data === undefined && errorCode(read.error) === 'not_found') return <DraftScreen id={id} />;
  return (
    <Reading of={read} isScreen skeleton={<TextSkeleton lines={12} />}>
      {({ run }) => <RunScreen key={id} run={run} />}
    </Reading>
  );
}

function DraftScreen({ id }: { id: string }) {
  const read = useRead('getWorkflowDraft', { params: { run_id: id } }, { everyMs: 3000 });
  return (
    <Reading of={read} isScreen skeleton={<TextSkeleton lines={8} />}>
      {({ draft }) => (
        <>
          <PageHeader
            trail={[{ to: '/workflow-runs', label: t('Runs of workflows') }]}
            title={draftTitle(draft)}
            description={<code>{id}</code>}
          />
          <Block title={t('Waits for a person to approve it')}>
            <WorkflowDraftCard id={id} />
          </Block>
        </>
      )}
    </Reading>
  );
}

function RunScreen({ run }: { run: WorkflowRun }) {
  const [step, setStep] = useUrlState('/workflow-runs/$workflowRun', 'step');
  const [view = 'steps', setView] = useUrlState('/workflow-runs/$workflowRun', 'view');
  const cancelling = useCancel(run);
  const [isRerunning, setRerunning] = useState(false);
  const isOver = run.status === 'COMPLETED';
  useRunStream(run.identifier, isOver);
  const toast = useToast();
  const input = waitingInput(run);
  const selected = run.nodeRuns.find(({ identifier }) => identifier === step);
  const { identifier, workflow } = run;
  const go = (by: 1 | -1) => {
    const index = run.nodeRuns.findIndex((each) => each.identifier === step);
    const next = run.nodeRuns[index < 0 ? (by > 0 ? 0 : run.nodeRuns.length - 1) : index + by];
    if (next) setStep(next.identifier);
  };
  useCommands([
    { id: 'run.next', label: t('Next step'), keys: 'j', run: () => go(1) },
    { id: 'run.previous', label: t('Previous step'), keys: 'k', run: () => go(-1) },
    { id: 'run.log', label: t('Log'), keys: 'l', run: () => setView(view === 'log' ? undefined : 'log') },
    ...(run.mayCancel
      ? [{ id: 'run.cancel', label: t('Cancel the run'), keys: 'c', run: () => void cancelling.ask(false) }]
      : []),
    ...(isOver ? [{ id: 'run.again', label: t('Run again'), keys: 'r', run: () => setRerunning(true) }] : []),
    {
      id: 'run.copy',
      label: t('Copy the id of the run'),
      keys: 'y',
      run: () => {
        void navigator.clipboard?.writeText(identifier);
        toast(t('{text} was copied', { text: identifier }));
      },
    },
  ]);
  const title = workflowName({ workflow });
  return (
    <>
      <PageHeader
        trail={[{ to: '/workflow-runs', label: t('Runs of workflows') }]}
        title={title}
        description={
          <Group gap={8}>
            <span role="status">
              <StatusBadge status={runState(run)} label={run.statusLabel?.text ?? waitLabel(run)} />
            </span>
            <Why run={run} />
            {run.parent && (
              <AnchorLink {...workflowRunAddress(run.parent.run)} search={{ step: run.parent.nodeRun }}>
                {t('Part of another run')}
              </AnchorLink>
            )}
            <code>{identifier}</code>
            <CopyValue value={identifier} what={t('the id of the run')} />
            {run.rerunOf && (
              <AnchorLink {...workflowRunAddress(run.rerunOf)}>{t('Re-run of {run}', { run: run.rerunOf })}</AnchorLink>
            )}
          </Group>
        }
        actions={
          <>
            <ButtonLink {...workflowAddress(workflow.identifier)} variant="default">
              {t('Workflow')}
            </ButtonLink>
            {run.status === 'COMPLETED' && run.trigger.type === 'SELF_SERVE_TRIGGER' && (
              <ButtonLink {...startAddress(workflow.identifier, run.trigger.identifier)} variant="default">
                {t('Start again')}
              </ButtonLink>
            )}
            {isOver && (
              <NeedsOperation operation="rerunWorkflowRun" to={t('run workflows again')}>
                <Button onClick={() => setRerunning(true)}>{t('Run again…')}</Button>
              </NeedsOperation>
            )}
            {run.mayCancel && run.status === 'IN_PROGRESS' && (
              <Button variant="default" loading={cancelling.isPending} onClick={() => void cancelling.ask(false)}>
                {t('Cancel the run')}
              </Button>
            )}
            {run.mayCancel && run.status === 'CANCELLING' && (
              <Button
                color="red"
                variant="default"
                loading={cancelling.isPending}
                onClick={() => void cancelling.ask(true)}
              >
                {t('Cancel by force')}
              </Button>
            )}
          </>
        }
      />
      {isRerunning && <RerunDialog run={run} onClose={() => setRerunning(false)} />}
      {run.message && (
        <Text mb="md" c={run.result === 'FAILED' ? 'var(--danger)' : 'dimmed'} dir="auto">
          {run.message}
        </Text>
      )}
      <UndoAgain run={run} />
      <div className={classes.stack}>
        {input && (
          <Block title={input.nodeTitle || input.node.identifier}>
            <RespondForm nodeRun={input} />
          </Block>
        )}
        <div className={classes.wideOnly}>
          <SegmentedControl
            aria-label={t('Run as')}
            value={view}
            onChange={(next) => setView(next === 'steps' ? undefined : next)}
            data={[
              { value: 'steps', label: t('Steps') },
              { value: 'graph', label: t('Graph') },
              { value: 'log', label: t('Log') },
            ]}
          />
        </div>
        <div className={classes.layout} data-open={selected ? true : undefined}>
          <div className={classes.main}>
            <div className={view === 'steps' ? undefined : classes.narrowOnly}>
              <Waterfall run={run} selected={selected?.identifier} onSelect={setStep} />
            </div>
            {view === 'graph' && (
              <div className={classes.wideOnly}>
                <Suspense fallback={<TextSkeleton lines={8} />}>
                  <RunGraph run={run} selected={selected?.node.identifier} onSelect={setStep} />
                </Suspense>
              </div>
            )}
            {view === 'log' && (
              <div className={classes.wideOnly}>
                <RunLog run={run} />
              </div>
            )}
          </div>
          {selected && <NodeRunDetails nodeRun={selected} onClose={() => setStep(undefined)} />}
        </div>
      </div>
    </>
  );
}

/** Why the run waits and since when, or who started it. */
function Why({ run }: { run: WorkflowRun }) {
  const at = run.nodeRuns.find(({ status }) => status === 'IN_PROGRESS');
  const words = run.status === 'COMPLETED' ? undefined : waitWords(run.waitingFor);
  return (
    <span>
      {words && at ? (
        <>
          {words} · <RelativeTime at={at.startedAt ?? at.createdAt} />
          {at.responders && ` · ${peopleInWords(at.responders)}`}
          {at.dueAt && (
            <>
              {' '}
              · {run.waitingFor === 'time' ? t('goes on') : t('ends')} <RelativeTime at={at.dueAt} />
            </>
          )}
        </>
      ) : (
        <>
          {t('Started')} <RelativeTime at={run.createdAt} /> <PersonBadge email={run.createdBy} />
        </>
      )}
    </span>
  );
}

function useCancel(run: WorkflowRun) {
  const cancel = useChange('cancelWorkflowRun', {
    staleAfter: ['getWorkflowRun', 'listWorkflowRuns', 'getWorkflowRunLogs'],
  });
  const confirm = useConfirm();
  const toast = useToast();
  const [isAsking, setAsking] = useState(false);
  const ask = async (isForced: boolean) => {
    if (isAsking) return;
    setAsking(true);
    const isSure = await confirm({
      title: isForced ? t('Cancel the run by force') : t('Cancel the run'),
      consequence: isForced
        ? t('The run fails at once. The called system may have acted already.')
        : t('What waits ends at once; a call that has begun may finish. Nothing after it runs.'),
      verb: isForced ? t('Cancel by force') : t('Cancel the run'),
      operation: 'cancelWorkflowRun',
    });
    setAsking(false);
    if (!isSure) return;
    cancel.mutate(
      { params: { run_id: run.identifier }, query: isForced ? { force: true } : {} },
      {
        onSuccess: () => toast(t('The run is cancelled')),
        onError: (error) => toast({ text: error.message, kind: 'failure' }),
      },
    );
  };
  return { ask, isPending: cancel.isPending };
}
