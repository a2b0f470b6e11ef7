import { Alert, Button, Group, Skeleton, Stack, Text, Title } from '@mantine/core';
import { useState } from 'react';
import { useChange, useRead } from '../../api/query.ts';
import { useCommands } from '../../frame/commands.tsx';
import { useParam, useUrlState } from '../../frame/url-state.ts';
import { useConfirm } from '../../kit/confirm.tsx';
import { locale } from '../../kit/language.ts';
import { RelativeTime } from '../../kit/relative-time.tsx';
import { ErrorState, Reading } from '../../kit/states.tsx';
import surfaces from '../../kit/surfaces.module.css';
import { plural, t } from '../../kit/translate.ts';
import { useOwnRights } from '../../parts/access/permit.ts';
import { ReadOnly } from '../../parts/access/read-only.tsx';
import { StatusBadge } from '../../parts/badges.tsx';
import { PageHeader } from '../../parts/page-header.tsx';
import { blueprintAddress } from './addresses.ts';
import type { Blueprint } from './blueprint-draft.ts';
import { BlueprintMenu } from './blueprint-menu.tsx';
import classes from './data-model.module.css';
import { type Mapping, mappingProblem } from './mapping.ts';
import { MappingEditor } from './mapping-editor.tsx';
import { MigrationPreview, type Preview } from './migration-preview.tsx';
import { MigrationProgress, migrationWords } from './migration-progress.tsx';
import { OwnershipPresets } from './ownership-presets.tsx';

/** Moves values within a blueprint or to another: mapping, preview on real entities, start. */
export function Screen() {
  const identifier = useParam('blueprint');
  const reading = useRead('getBlueprint', { params: { blueprint_identifier: identifier } });
  const model = useRead('listBlueprints');
  return (
    <Reading of={reading} isScreen skeleton={<Skeleton height={320} />}>
      {({ blueprint }) => (
        <MigrateData key={blueprint.identifier} source={blueprint} blueprints={model.data?.blueprints ?? [blueprint]} />
      )}
    </Reading>
  );
}

function MigrateData({ source, blueprints }: { source: Blueprint; blueprints: readonly Blueprint[] }) {
  const [migration, setMigration] = useUrlState('/builder/data-model/$blueprint/migrate-data', 'migration');
  const [mapping, setMapping] = useState<Mapping>({ entity: {} });
  const [textProblem, setTextProblem] = useState<string>();
  const [version, setVersion] = useState(0);
  const preview = useChange('startDataMigration');
  const start = useChange('startDataMigration', {
    staleAfter: ['listDataMigrations', 'getDataMigration', 'countEntities', 'searchBlueprintEntities'],
  });
  const count = useRead('countEntities', { params: { blueprint_identifier: source.identifier } });
  const confirm = useConfirm();
  const { rights, permit } = useOwnRights(source.identifier);
  const mayMigrate = permit(rights?.migrate);
  const problem = textProblem ?? mappingProblem(mapping);
  const total = count.data?.count ?? 0;
  const change = (next: Mapping) => {
    setMapping(next);
    preview.reset();
    start.reset();
  };
  const body = { sourceBlueprint: source.identifier, mapping };
  const runPreview = () => {
    if (problem === undefined && mayMigrate?.isAllowed) preview.mutate({ query: { dry_run: true }, body });
  };
  useCommands([{ id: 'migrate.preview', label: t('Preview the migration'), keys: 'mod+enter', run: runPreview }]);
  const seen: Preview | undefined = preview.data && 'preview' in preview.data ? preview.data.preview : undefined;
  const run = async () => {
    const isSure =
      seen !== undefined ||
      (await confirm({
        title: t('Migrate {total} without a preview', { total: entities(total) }),
        consequence: t('You have not previewed the changes. You can undo them for some days.'),
        verb: t('Migrate'),
      }));
    if (!isSure) return;
    start.mutate(
      { body },
      { onSuccess: (answer) => 'migrationId' in answer && setMigration(answer.migrationId, { isStep: true }) },
    );
  };
  const preset = (next: Mapping) => {
    change(next);
    setTextProblem(undefined);
    setVersion((before) => before + 1);
    preview.mutate({ query: { dry_run: true }, body: { sourceBlueprint: source.identifier, mapping: next } });
  };
  const error = preview.error ?? start.error;
  return (
    <Stack gap="lg" maw={1040}>
      <PageHeader
        title={t('Migrate data of {title}', { title: source.title })}
        trail={[
          { to: '/builder/data-model', label: t('Data model') },
          { ...blueprintAddress(source.identifier), label: source.title },
        ]}
        description={t(
          'Writes fields of {word} by jq expressions, in the background. Nothing is written before you start it.',
          { word: count.data ? entities(total) : t('the entities') },
        )}
        actions={<BlueprintMenu blueprint={source} />}
      />
      {migration !== undefined && (
        <MigrationProgress id={migration} onBegun={(id) => setMigration(id, { isStep: true })} />
      )}
      <ReadOnly permit={mayMigrate} to={t('migrate the data of {title}', { title: source.title })}>
        <Stack gap="lg">
          <OwnershipPresets source={source} onChoose={preset} />
          <section className={surfaces.block} aria-labelledby="mapping">
            <Title order={2} size="h3" id="mapping" mb="sm">
              {t('1. Mapping')}
            </Title>
            <MappingEditor
              key={version}
              source={source}
              blueprints={blueprints}
              mapping={mapping}
              onChange={change}
              onProblem={setTextProblem}
            />
          </section>
          <section className={surfaces.block} aria-labelledby="preview">
            <Group justify="space-between" mb="sm">
              <Title order={2} size="h3" id="preview">
                {t('2. Preview')}
              </Title>
              <Button
                variant="default"
                onClick={runPreview}
                disabled={problem !== undefined}
                loading={preview.isPending}
              >
                {t('Preview')}
              </Button>
            </Group>
            {error && <ErrorState error={error} what={t('The server refused the migration. Nothing was changed')} />}
            {problem !== undefined && <Text c="dimmed">{problem}</Text>}
            {problem === undefined && !seen && !error && (
              <Text c="dimmed">
                {preview.isPending ? t('Trying it on real entities.') : t('See what changes on real entities first.')}
              </Text>
            )}
            {seen && <MigrationPreview preview={seen} target={mapping.blueprint ?? source.identifier} />}
          </section>
          <section className={surfaces.block} aria-labelledby="run">
            <Group justify="space-between">
              <div>
                <Title order={2} size="h3" id="run">
                  {t('3. Run')}
                </Title>
                <Text c="dimmed">
                  {t('You can undo the migration for a week, unless the operator set another time.')}
                </Text>
              </div>
              <Button
                onClick={() => void run()}
                disabled={problem !== undefined || total === 0}
                loading={start.isPending}
              >
                {count.data && total === 0
                  ? t('There is no entity to migrate')
                  : t('Migrate {total}', { total: entities(total) })}
              </Button>
            </Group>
          </section>
        </Stack>
      </ReadOnly>
      <Earlier blueprint={source.identifier} onOpen={(id) => setMigration(id, { isStep: true })} />
    </Stack>
  );
}

function entities(count: number): string {
  return plural(count, '{count} entity', '{count} entities');
}

function Earlier({ blueprint, onOpen }: { blueprint: string; onOpen: (id: string) => void }) {
  const reading = useRead('listDataMigrations', { query: { blueprint } });
  return (
    <section aria-labelledby="earlier">
      <Title order={2} size="h3" id="earlier" mb="xs">
        {t('Earlier migrations')}
      </Title>
      <Reading of={reading}>
        {({ migrations }) =>
          migrations.length === 0 ? (
            <Alert color="gray">{t('No data of this blueprint was migrated yet.')}</Alert>
          ) : (
            <ul className={surfaces.list}>
              {migrations.slice(0, 20).map((each) => (
                <li key={each.id} className={classes.item}>
                  <div className={classes.itemText}>
                    <StatusBadge status={each.status} label={migrationWords(each)} />{' '}
                    {t('{value} of {totalCount}', {
                      value: (each.successCount + each.failureCount).toLocaleString(locale),
                      totalCount: entities(each.totalCount),
                    })}
                    <div className={classes.detail}>
                      {each.createdBy} · <RelativeTime at={each.createdAt} />
                      {each.undoOf ? ` ${t('· undoes another')}` : ''}
                      {each.deleteEntities ? ` ${t('· deletes entities')}` : ''}
                    </div>
                  </div>
                  <Button
                    size="xs"
                    variant="default"
                    onClick={() => onOpen(each.id)}
                    aria-label={t('Show {id}', { id: each.id })}
                  >
                    {t('Show')}
                  </Button>
                </li>
              ))}
            </ul>
          )
        }
      </Reading>
    </section>
  );
}
