import { Alert, Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { useRead } from '../../../api/query.ts';
import { plural, t } from '../../../kit/translate.ts';
import { listModelChanges, type PlannedCatalog } from './catalog-steps.ts';
import { CatalogChanges, CatalogFigures, CatalogProblems, Owners, toRefusals } from './catalog-told.tsx';

/** The second step: what the import would do. Nothing is written yet. `children` are the buttons. */
export function ShowCatalogPlan({ planned, children }: { planned: PlannedCatalog; children: ReactNode }) {
  const { files, plan, checked } = planned;
  const problems = [...files.problems, ...plan.problems, ...toRefusals(planned, checked)];
  const count = (change: string) => plan.entities.filter((each) => each.change === change).length;
  return (
    <Stack gap="lg">
      <CatalogFigures
        figures={{
          'To create': count('created'),
          'To change': count('changed'),
          Unchanged: count('unchanged'),
          'Not mapped': problems.filter(({ severity }) => severity === 'error').length,
        }}
      />
      {plan.entities.length === 0 && (
        <Alert color="yellow" title={t('No document of Backstage was found')} role="status">
          {files.filesRead === 0
            ? t(
                'The files hold no catalog-info.yaml, and no other YAML with an apiVersion of Backstage. Choose the files of a repository that Backstage reads.',
              )
            : t('See below why the documents cannot be mapped.')}
        </Alert>
      )}
      <Model plan={plan} />
      <Owners plan={plan} />
      {checked?.missing != null && checked.missing > 0 && (
        <Alert color="yellow" title={t('Not in these files')}>
          {plural(
            checked.missing,
            'An earlier upload had one entity more, which is kept; you can delete it afterwards.',
            '{count} entities of an earlier upload. They are kept; you can delete them afterwards.',
          )}
        </Alert>
      )}
      {children}
      <CatalogProblems problems={problems} />
      <CatalogChanges entities={plan.entities} />
    </Stack>
  );
}

function Model({ plan }: Pick<PlannedCatalog, 'plan'>) {
  const { blueprints = [] } = useRead('listBlueprints').data ?? {};
  const { create, extend } = listModelChanges(plan, new Set(blueprints.map(({ identifier }) => identifier)));
  if (create.length + extend.length === 0) return null;
  const names = (list: typeof create) => list.map(({ identifier }) => identifier).join(', ');
  return (
    <Text size="sm">
      {create.length > 0 && `${t('Blueprints that are made first: {create}.', { create: names(create) })} `}
      {extend.length > 0 && `${t('Blueprints that get what they lack: {extend}.', { extend: names(extend) })} `}
      {t('What you have in them stays as it is.')}
    </Text>
  );
}
