import { Alert, Stack, Text } from '@mantine/core';
import type { AnswerOf } from '../../api/api.ts';
import { locale } from '../../kit/language.ts';
import { t } from '../../kit/translate.ts';
import { EntityAnchor } from '../../parts/entity-anchor.tsx';
import classes from './data-model.module.css';
import { Figures } from './figures.tsx';
import { changedFields } from './mapping.ts';
import { RefusedEntities } from './refused-entities.tsx';

export type Preview = Extract<AnswerOf<'startDataMigration'>, { preview: unknown }>['preview'];

/** What a migration would change on real entities. */
export function MigrationPreview({ preview, target }: { preview: Preview; target: string }) {
  const { diffs, errors, isWhole, examinedCount, totalCount } = preview;
  return (
    <Stack gap="md">
      <Figures
        of={[
          [t('Changed'), preview.updateCount],
          [t('Created'), preview.createCount],
          [t('Unchanged'), preview.unchangedCount],
          [t('Left out by the filter'), preview.filteredCount],
          [t('Will fail'), preview.failureCount],
        ]}
      />
      {!isWhole && (
        <Text size="sm" c="dimmed">
          {t('The first {examinedCount} of {totalCount} entities were looked at.', {
            examinedCount: examinedCount.toLocaleString(locale),
            totalCount: totalCount.toLocaleString(locale),
          })}
        </Text>
      )}
      {diffs.length === 0 && errors.length === 0 && (
        <Alert color="blue">
          {t('Nothing would change: every entity is as the mapping would make it, or left out.')}
        </Alert>
      )}
      {diffs.length > 0 && (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls has to be reachable by keys
        <section className={classes.scroll} aria-label={t('Before and after')} tabIndex={0}>
          <table className={classes.table}>
            <thead>
              <tr>
                <th scope="col">{t('Entity')}</th>
                <th scope="col">{t('Field')}</th>
                <th scope="col">{t('Before')}</th>
                <th scope="col">{t('After')}</th>
              </tr>
            </thead>
            <tbody>
              {diffs.flatMap(({ identifier, change, before, after }) => {
                const fields = changedFields(
                  before as Record<string, unknown> | null,
                  after as Record<string, unknown>,
                );
                return fields.map(({ field, before: old, after: next }, index) => (
                  <tr key={`${identifier} ${field}`}>
                    {index === 0 && (
                      <th scope="rowgroup" rowSpan={fields.length}>
                        {change === 'CREATE' ? (
                          t('{title} (new)', { title: after.title ?? identifier })
                        ) : (
                          <EntityAnchor blueprint={target} identifier={identifier} title={after.title} />
                        )}
                      </th>
                    )}
                    <td>
                      <code>{field}</code>
                    </td>
                    <td>{old === undefined ? '–' : <del className={classes.before}>{shown(old)}</del>}</td>
                    <td>{next === undefined ? '–' : <ins className={classes.after}>{shown(next)}</ins>}</td>
                  </tr>
                ));
              })}
            </tbody>
          </table>
        </section>
      )}
      {errors.length > 0 && <RefusedEntities errors={errors} title={t('These would fail')} />}
    </Stack>
  );
}

function shown(value: unknown): string {
  if (value === null) return 'empty';
  if (Array.isArray(value) && value.every((each) => typeof each === 'string')) return value.join(', ') || 'none';
  return typeof value === 'string' ? value : JSON.stringify(value);
}
