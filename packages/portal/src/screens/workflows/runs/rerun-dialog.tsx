import { Button, Checkbox, Group, Select, Stack, Text } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useChange, useRead } from '../../../api/query.ts';
import { Dialog } from '../../../kit/dialog.tsx';
import { SegmentedControl } from '../../../kit/segmented-control.tsx';
import { Reading, TextSkeleton } from '../../../kit/states.tsx';
import { useToast } from '../../../kit/toasts.tsx';
import { t } from '../../../kit/translate.ts';
import type { WorkflowRun } from '../../../parts/workflows/respond-form.tsx';
import { workflowRunAddress } from '../../../parts/workflows/workflow-links.ts';
import { becomesWords, effectWords, type Plan } from './rerun-words.ts';
import classes from './runs.module.css';

const beginning = '\nbeginning';

/** Chooses where a run begins again, and says first what that takes over and what it repeats. */
export function RerunDialog({ run, onClose }: { run: WorkflowRun; onClose: () => void }) {
  // what undid a step stands outside the way
  const steps = run.nodeRuns.filter(({ compensates }) => !compensates);
  const failed = steps.findLast(({ result }) => result !== 'SUCCESS')?.node.identifier;
  const [from, setFrom] = useState(failed ?? beginning);
  const [version, setVersion] = useState<'same' | 'current'>('same');
  const query = { version, ...(from === beginning ? {} : { from }) };
  const plan = useRead('getRerunPlan', { params: { run_id: run.identifier }, query });
  return (
    <Dialog opened onClose={onClose} size="lg" title={t('Run again')}>
      <Stack gap="md">
        <Select
          label={t('Begin with')}
          data-autofocus
          allowDeselect={false}
          data={[
            { value: beginning, label: t('The beginning') },
            ...steps.map(({ node, nodeTitle }) => ({
              value: node.identifier,
              label: nodeTitle || node.identifier,
            })),
          ]}
          value={from}
          onChange={(next) => setFrom(next ?? beginning)}
        />
        <Reading of={plan} skeleton={<TextSkeleton lines={6} />}>
          {({ plan: shown }) => (
            <>
              {shown.currentVersion !== null && shown.currentVersion !== run.workflow.version && (
                <SegmentedControl
                  aria-label={t('Version')}
                  value={version}
                  onChange={(next) => setVersion(next as 'same' | 'current')}
                  data={[
                    { value: 'same', label: t('Version {version}', { version: run.workflow.version }) },
                    { value: 'current', label: t('Version {version}, current', { version: shown.currentVersion }) },
                  ]}
                />
              )}
              <PlannedRerun
                key={`${from} ${version}`}
                run={run}
                plan={shown}
                body={{ version, ...(from === beginning ? {} : { fromNodeIdentifier: from }) }}
                onClose={onClose}
              />
            </>
          )}
        </Reading>
      </Stack>
    </Dialog>
  );
}

function PlannedRerun({
  run,
  plan,
  body,
  onClose,
}: {
  run: WorkflowRun;
  plan: Plan;
  body: { readonly version: 'same' | 'current'; readonly fromNodeIdentifier?: string };
  onClose: () => void;
}) {
  const [isAcknowledged, setAcknowledged] = useState(false);
  const rerun = useChange('rerunWorkflowRun', { staleAfter: ['listWorkflowRuns'] });
  const toast = useToast();
  const navigate = useNavigate();
  const needs = plan.acknowledge.length > 0;
  const refusal = whyNot(plan);
  const start = () =>
    rerun.mutate(
      { params: { run_id: run.identifier }, body: { ...body, acknowledge: [...plan.acknowledge] } },
      {
        onSuccess: ({ run: made }) => {
          onClose();
          void navigate(workflowRunAddress(made.identifier));
        },
        onError: (error) => toast({ text: error.message, kind: 'failure' }),
      },
    );
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        if (!refusal && (!needs || isAcknowledged)) start();
      }}
    >
      <Stack gap="md">
        {refusal ? (
          <Text role="status">{refusal}</Text>
        ) : (
          <>
            {plan.fromNodeIdentifier !== null && plan.startsAt !== plan.fromNodeIdentifier && (
              <Text role="status">{t('The run begins earlier, with {step}.', { step: plan.startsAt ?? '' })}</Text>
            )}
            <ol className={classes.planSteps} aria-label={t('What the run would do')}>
              {plan.steps.map((step) => (
                <li key={step.nodeIdentifier} data-becomes={step.becomes}>
                  <strong dir="auto">{step.title || step.nodeIdentifier}</strong> {becomesWords(step)}
                  {step.becomes !== 'reused' && effectWords(step) && ` · ${effectWords(step)}`}
                </li>
              ))}
            </ol>
            {needs && (
              <Checkbox
                label={t('{steps} may count twice for the receiver; repeat it all the same', {
                  steps: plan.acknowledge.join(', '),
                })}
                checked={isAcknowledged}
                onChange={({ currentTarget }) => setAcknowledged(currentTarget.checked)}
              />
            )}
          </>
        )}
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            {t('Cancel')}
          </Button>
          {!refusal && (
            <Button type="submit" loading={rerun.isPending} disabled={needs && !isAcknowledged}>
              {t('Run again')}
            </Button>
          )}
        </Group>
      </Stack>
    </form>
  );
}

function whyNot({ problem, mayRerun, currentVersion }: Plan): string | undefined {
  if (currentVersion === null) return t('The workflow is deleted, so that its runs are not run again.');
  if (!mayRerun) return t('Anyone who may start the workflow may run it again.');
  return problem === null ? undefined : `${problem}.`;
}
