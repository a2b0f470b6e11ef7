import { Alert } from '@mantine/core';
import type { Source } from '@portolan/contract/sources';
import { useState } from 'react';
import { useUrlState } from '../../frame/url-state.ts';
import { t } from '../../kit/translate.ts';
import { PageHeader } from '../../parts/page-header.tsx';
import { ChooseColumns } from './choose-columns.tsx';
import { ChooseFile } from './choose-file.tsx';
import { type ColumnChoice, type OpenedTable, type Step, stepNames } from './import-steps.ts';
import { ShowPlan } from './show-plan.tsx';
import { ShowResult } from './show-result.tsx';
import { failureText, ShowProgress, StepList } from './step-list.tsx';
import { UploadAgain } from './upload-again.tsx';
import { useImport } from './use-import.ts';

/** A table becomes entities: file, columns, plan, result. */
export function Screen() {
  const [source] = useUrlState('/imports/new', 'source');
  if (source === undefined) return <ImportTable source={undefined} />;
  return (
    <UploadAgain identifier={source}>{(found) => <ImportTable key={found.identifier} source={found} />}</UploadAgain>
  );
}

function ImportTable({ source }: { source: Source | undefined }) {
  const [step, setStep] = useState<Step>({ kind: 'file' });
  const [problem, setProblem] = useState<string>();
  const [wanted] = useUrlState('/imports/new', 'blueprint');
  const [, setSource] = useUrlState('/imports/new', 'source');
  const { progress, check, apply, stop } = useImport(source?.identifier);
  const kept = source?.settings['blueprint'];
  const goTo = (next: Step) => {
    setProblem(undefined);
    setStep(next);
  };
  const attempt = async (work: () => Promise<Step>) => {
    setProblem(undefined);
    try {
      goTo(await work());
    } catch (error) {
      setProblem(failureText(error));
    }
  };
  const plan = (opened: OpenedTable, chosen: ColumnChoice) =>
    attempt(async () => {
      const planned = await check(opened, chosen);
      // the blueprint is there now, also when a person comes back to the columns
      return { kind: 'plan', opened, choice: { ...chosen, isNew: false }, planned };
    });
  return (
    <div style={{ maxWidth: 1080 }}>
      <PageHeader
        title={source ? t('Upload {title} again', { title: source.title }) : t('Import a table')}
        trail={[{ to: '/builder/sources', label: t('Data sources') }]}
        description={t(
          'Rows of a sheet, a CSV or a JSON file become entities. Nothing is written before you have seen the plan.',
        )}
      />
      <StepList names={stepNames} now={step.kind} />
      {problem && (
        <Alert color="red" role="alert" mb="lg" title={t('The import was not sent')}>
          {problem}
        </Alert>
      )}
      {progress && (
        <ShowProgress
          progress={progress}
          things="rows"
          verb={step.kind === 'plan' ? 'written' : 'checked'}
          onStop={stop}
        />
      )}
      {step.kind === 'file' && <ChooseFile onOpened={(opened) => goTo({ kind: 'columns', opened })} />}
      {step.kind === 'columns' && (
        <ChooseColumns
          key={readKey(step.opened)}
          opened={step.opened}
          given={step.choice}
          blueprint={typeof kept === 'string' ? kept : wanted}
          kept={source?.settings}
          isBusy={progress !== undefined}
          onOpened={(opened) => goTo({ kind: 'columns', opened })}
          onBack={() => goTo({ kind: 'file' })}
          onChosen={(choice) => void plan(step.opened, choice)}
        />
      )}
      {step.kind === 'plan' && (
        <ShowPlan
          opened={step.opened}
          planned={step.planned}
          isBusy={progress !== undefined}
          onBack={() => goTo({ kind: 'columns', opened: step.opened, choice: step.choice })}
          onApply={() =>
            void attempt(async () => {
              const applied = await apply(step.opened, step.choice);
              return { kind: 'result', opened: step.opened, choice: step.choice, applied };
            })
          }
        />
      )}
      {step.kind === 'result' && (
        <ShowResult
          opened={step.opened}
          choice={step.choice}
          applied={step.applied}
          onNewer={() => {
            goTo({ kind: 'file' });
            setSource(step.applied.source.identifier, { isStep: true });
          }}
          onAgain={() => {
            goTo({ kind: 'file' });
            setSource(undefined, { isStep: true });
          }}
        />
      )}
    </div>
  );
}

/** Columns are chosen anew when the file is read in another way. */
function readKey({ table: { options } }: OpenedTable): string {
  return [options.encoding, options.delimiter, options.sheet].join(' ');
}
