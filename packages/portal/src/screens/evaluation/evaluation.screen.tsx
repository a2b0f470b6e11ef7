import { Button, Group } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { Play, Plus, Upload } from 'lucide-react';
import { useState } from 'react';
import { useRead, useRefresh } from '../../api/query.ts';
import { ButtonLink } from '../../frame/links.tsx';
import { useUrlState } from '../../frame/url-state.ts';
import { useAttempt } from '../../kit/attempt.ts';
import { SegmentedControl } from '../../kit/segmented-control.tsx';
import { EmptyState, Reading, TableSkeleton } from '../../kit/states.tsx';
import { t } from '../../kit/translate.ts';
import { Needs, NeedsOperation } from '../../parts/access/needs.tsx';
import { useOffers } from '../../parts/entities/rights.ts';
import { PageHeader } from '../../parts/page-header.tsx';
import { AskCases } from './ask-cases.tsx';
import { setUpEvaluation } from './browser-evaluation.ts';
import { CaseList } from './case-list.tsx';
import { caseParams, readRuns, useRuns } from './evaluation-reads.ts';
import { ImportCases } from './import-cases.tsx';
import { RunList } from './run-list.tsx';

/** Runs of evaluation, and the cases that they ask; a way to begin where there is nothing for either. */
export function Screen() {
  // what is not there is not asked for: the browser would note each refusal as an error
  const blueprints = useRead('listBlueprints');
  return (
    <Reading of={blueprints} isScreen>
      {({ blueprints: known }) =>
        known.some(({ identifier }) => identifier === caseParams.blueprint_identifier) ? (
          <Evaluation />
        ) : (
          <>
            <PageHeader title={t('Evaluation')} description={purpose()} />
            <NotSetUp />
          </>
        )
      }
    </Reading>
  );
}

function purpose(): string {
  return t(
    'Questions whose right answers are known. Asking them shows whether another model, prompt or agent answers better.',
  );
}

function Evaluation() {
  const [view, setView] = useUrlState('/ai/evaluation', 'view');
  const [dialog, setDialog] = useState<'ask' | 'import'>();
  const navigate = useNavigate();
  const cases = useRead('listEntities', { params: caseParams });
  const runs = useRuns();
  const { permits } = useOffers('ai_eval_case');
  const kept = readRuns(runs.data?.entities ?? []);
  const close = () => setDialog(undefined);
  return (
    <>
      <PageHeader
        title={t('Evaluation')}
        description={purpose()}
        actions={
          <Group gap="xs">
            <Needs permit={permits.register} to={t('import cases')}>
              <Button variant="default" leftSection={<Upload size={16} />} onClick={() => setDialog('import')}>
                {t('Import cases')}
              </Button>
            </Needs>
            <Needs permit={permits.register} to={t('add cases')}>
              <ButtonLink to="/ai/new-case" variant="default" leftSection={<Plus size={16} />}>
                {t('Add a case')}
              </ButtonLink>
            </Needs>
            <Button
              leftSection={<Play size={16} />}
              disabled={(cases.data?.entities.length ?? 0) === 0}
              title={cases.data?.entities.length === 0 ? t('There is no case to ask yet') : undefined}
              onClick={() => setDialog('ask')}
            >
              {t('Ask the cases')}
            </Button>
          </Group>
        }
      />
      <Group mb="sm">
        <SegmentedControl
          aria-label={t('Shown')}
          value={view === 'cases' ? 'cases' : 'runs'}
          onChange={(value) => setView(value)}
          data={[
            { value: 'runs', label: t('Runs') },
            { value: 'cases', label: t('Cases') },
          ]}
        />
      </Group>
      {view === 'cases' ? (
        <Reading of={cases} skeleton={<TableSkeleton />}>
          {({ entities }) => <CaseList cases={entities} />}
        </Reading>
      ) : (
        <Reading of={runs} skeleton={<TableSkeleton />}>
          {() => <RunList runs={kept} />}
        </Reading>
      )}
      {dialog === 'import' && <ImportCases onClose={close} />}
      {dialog === 'ask' && cases.data && (
        <AskCases
          entities={cases.data.entities}
          runs={kept}
          onClose={close}
          onDone={(run) => void navigate({ to: '/ai/evaluation/$run', params: { run } })}
        />
      )}
    </>
  );
}

/** The blueprints are missing: whoever may make them does so here. */
function NotSetUp() {
  const refresh = useRefresh();
  const attempt = useAttempt();
  const [isBusy, setBusy] = useState(false);
  const setUp = async () => {
    setBusy(true);
    await attempt(setUpEvaluation, t('Evaluation is set up'));
    setBusy(false);
    await refresh(['listEntities', 'searchBlueprintEntities', 'listBlueprints', 'getOwnRights']);
  };
  return (
    <EmptyState
      title={t('Evaluation is not set up')}
      action={
        <NeedsOperation operation="createBlueprint" to={t('set up evaluation')}>
          <Button loading={isBusy} onClick={() => void setUp()}>
            {t('Set up evaluation')}
          </Button>
        </NeedsOperation>
      }
    >
      {t('Two blueprints are made, for cases and for runs, with a few example cases.')}
    </EmptyState>
  );
}
