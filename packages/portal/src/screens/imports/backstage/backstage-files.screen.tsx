import { Alert, Button, Group, Stack, Text } from '@mantine/core';
import type { Source } from '@portolan/contract/sources';
import { useState } from 'react';
import { AnchorLink } from '../../../frame/links.tsx';
import { useUrlState } from '../../../frame/url-state.ts';
import { Sentence } from '../../../kit/sentence.tsx';
import { plural, t } from '../../../kit/translate.ts';
import { Needs } from '../../../parts/access/needs.tsx';
import { useMay } from '../../../parts/access/permit.ts';
import { PageHeader } from '../../../parts/page-header.tsx';
import { DropZone } from '../drop-zone.tsx';
import { failureText, ShowProgress, StepList } from '../step-list.tsx';
import { UploadAgain } from '../upload-again.tsx';
import { type CatalogStep, catalogStepNames } from './catalog-steps.ts';
import { ExportCatalog } from './export-catalog.tsx';
import { ShowCatalogPlan } from './show-catalog-plan.tsx';
import { ShowCatalogResult } from './show-catalog-result.tsx';
import { useCatalogImport } from './use-catalog-import.ts';

/** The files of a Backstage become entities: files, plan, result. */
export function Screen() {
  const [source] = useUrlState('/imports/backstage', 'source');
  if (source === undefined) return <ImportCatalog source={undefined} />;
  return (
    <UploadAgain identifier={source}>{(found) => <ImportCatalog key={found.identifier} source={found} />}</UploadAgain>
  );
}

function ImportCatalog({ source }: { source: Source | undefined }) {
  const [step, setStep] = useState<CatalogStep>({ kind: 'files' });
  const [problem, setProblem] = useState<string>();
  const [isBusy, setBusy] = useState(false);
  const [, setSource] = useUrlState('/imports/backstage', 'source');
  const { progress, plan, apply, stop } = useCatalogImport(source?.identifier);
  const mayCreate = useMay('createBlueprint');
  const attempt = async (work: () => Promise<CatalogStep>) => {
    setProblem(undefined);
    setBusy(true);
    try {
      setStep(await work());
    } catch (error) {
      setProblem(failureText(error));
    } finally {
      setBusy(false);
    }
  };
  const read = (chosen: readonly File[]) => {
    if (chosen.length > 0) void attempt(async () => ({ kind: 'plan', planned: await plan(chosen) }));
  };
  const begin = (identifier: string | undefined) => {
    setProblem(undefined);
    setStep({ kind: 'files' });
    setSource(identifier, { isStep: true });
  };
  return (
    <div style={{ maxWidth: 1080 }}>
      <PageHeader
        title={source ? t('Upload {title} again', { title: source.title }) : t('Come from Backstage')}
        trail={[{ to: '/builder/sources', label: t('Data sources') }]}
        description={t(
          'The catalog-info.yaml files of a Backstage become entities with their owners. Nothing is written before you have seen the plan.',
        )}
      />
      <StepList names={catalogStepNames} now={step.kind} />
      {problem && (
        <Alert color="red" role="alert" mb="lg" title={t('The import was not sent')}>
          {problem}
        </Alert>
      )}
      {progress && (
        <ShowProgress
          progress={progress}
          things="entities"
          verb={step.kind === 'plan' ? 'written' : 'checked'}
          onStop={stop}
        />
      )}
      {step.kind === 'files' && (
        <Stack gap="md" align="flex-start">
          <DropZone
            text={t(
              'Drop a zip of your repositories, or catalog-info.yaml files. They stay in the browser; only entities are sent.',
            )}
            button={t('Choose files')}
            accept=".yaml,.yml,.zip"
            isReading={isBusy}
            onFiles={read}
          />
          <Text size="sm">
            <Sentence
              text="A running Backstage can be read by its address instead, and stays in sync: <link>connect it</link>."
              parts={{
                link: <AnchorLink underline="always" to="/builder/sources/add/$type" params={{ type: 'backstage' }} />,
              }}
            />
          </Text>
          <ExportCatalog />
        </Stack>
      )}
      {step.kind === 'plan' && (
        <ShowCatalogPlan planned={step.planned}>
          <Group>
            <Needs
              permit={step.planned.checked ? { isAllowed: true, needs: '' } : mayCreate}
              to={t('create the blueprints that these files need')}
            >
              <Button
                loading={isBusy}
                disabled={step.planned.plan.entities.length === 0}
                onClick={() =>
                  void attempt(async () => ({
                    kind: 'result',
                    planned: step.planned,
                    applied: await apply(step.planned),
                  }))
                }
              >
                {plural(step.planned.plan.entities.length, 'Import {count} entity', 'Import {count} entities')}
              </Button>
            </Needs>
            <Button variant="default" disabled={isBusy} onClick={() => setStep({ kind: 'files' })}>
              {t('Other files')}
            </Button>
          </Group>
        </ShowCatalogPlan>
      )}
      {step.kind === 'result' && (
        <ShowCatalogResult
          planned={step.planned}
          applied={step.applied}
          onNewer={() => begin(step.applied.source.identifier)}
          onAgain={() => begin(undefined)}
        />
      )}
    </div>
  );
}
