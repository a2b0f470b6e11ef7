import { Alert, Stack, Text, Title } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { useRead } from '../../api/query.ts';
import { useUrlState } from '../../frame/url-state.ts';
import { RelativeTime } from '../../kit/relative-time.tsx';
import { Sentence } from '../../kit/sentence.tsx';
import { EmptyState, Reading } from '../../kit/states.tsx';
import { t } from '../../kit/translate.ts';
import { PageHeader } from '../../parts/page-header.tsx';
import { ApplyStep } from './apply-step.tsx';
import { OldWriters } from './old-writers.tsx';
import { PlanStep } from './plan-step.tsx';
import { RehearseStep } from './rehearse-step.tsx';
import { canOpen, currentStep, isMigrated, isUnderWay, type Report, type Step, steps } from './stage.ts';
import { StepList } from './step-list.tsx';
import { UndoStep } from './undo-step.tsx';
import { VerifyStep } from './verify-step.tsx';

/** Often enough to show the stages of a migration that takes seconds. */
const pollMs = 1_500;

/** The one-time migration of users and teams to blueprints: plan, rehearse, apply, verify, undo. */
export function Screen() {
  const [isPolling, setPolling] = useState(false);
  const report = useRead('getUsersAndTeams', undefined, isPolling ? { everyMs: pollMs } : {});
  const isRunning = report.data !== undefined && isUnderWay(report.data);
  useEffect(() => setPolling(isRunning), [isRunning]);
  useFreshAfter(report.data);
  return (
    <Reading of={report} isScreen>
      {(found) => (
        <>
          <PageHeader
            title={t('Users and teams migration')}
            description={t(
              'Turns users and teams into blueprints, and names of teams into identifiers. Once, for the whole organization.',
            )}
          />
          {found.status === 'NOT_STARTED' && isMigrated(found) ? (
            <section>
              <EmptyState title={t('There is nothing to migrate')}>
                {t(
                  'Users and teams of this organization have been blueprints from the beginning. Teams are read and written by identifier.',
                )}
              </EmptyState>
            </section>
          ) : (
            <Migration report={found} />
          )}
          <OldWriters report={found} />
        </>
      )}
    </Reading>
  );
}

function Migration({ report }: { report: Report }) {
  const [asked, setAsked] = useUrlState('/builder/users-and-teams', 'step');
  const current = currentStep(report);
  const step = steps.some(({ key }) => key === asked) && canOpen(asked as Step, report) ? (asked as Step) : current;
  const go = (to: Step) => setAsked(to, { isStep: true });
  const title = steps.find(({ key }) => key === step)?.title;
  return (
    <Stack gap="lg" maw={1100}>
      <StepList report={report} step={step} onStep={go} />
      {report.status === 'ROLLED_BACK' && (
        <Alert title={t('The last migration was undone')}>
          <Sentence
            text="Finished <time/>. Teams are shown by their titles again; you can migrate again."
            parts={{ time: <RelativeTime at={report.finishedAt} /> }}
          />
        </Alert>
      )}
      {report.status === 'COMPLETED' && report.message && (
        <Alert color="yellow" title={t('The change could not be undone')}>
          {report.message}
        </Alert>
      )}
      <section aria-labelledby="step">
        <Title order={2} id="step" mb="sm">
          {title}
        </Title>
        {step === 'plan' && <PlanStep onNext={() => go('rehearse')} />}
        {step === 'rehearse' && <RehearseStep onNext={() => go('apply')} />}
        {step === 'apply' && <ApplyStep report={report} onPlan={() => go('plan')} onVerify={() => go('verify')} />}
        {step === 'verify' && <VerifyStep />}
        {step === 'undo' && <UndoStep report={report} />}
      </section>
      {report.migrationId && (
        <Text size="sm" c="dimmed">
          <Sentence text="Migration <code/>" parts={{ code: <code>{report.migrationId}</code> }} />
        </Text>
      )}
    </Stack>
  );
}

/** Drops all cached reads when the model or the status of the migration changes: teams are written differently then. */
function useFreshAfter(report: Report | undefined): void {
  const queries = useQueryClient();
  const seen = useRef<string>(undefined);
  const state = report && `${report.model} ${isUnderWay(report)} ${report.status}`;
  useEffect(() => {
    if (state === undefined) return;
    if (seen.current !== undefined && seen.current !== state) {
      // results of the other model: not even shown during a refetch
      for (const name of ['planUsersAndTeams', 'rehearseUsersAndTeams', 'verifyUsersAndTeams'])
        queries.removeQueries({ queryKey: [name], type: 'inactive' });
      void queries.invalidateQueries();
    }
    seen.current = state;
  }, [queries, state]);
}
