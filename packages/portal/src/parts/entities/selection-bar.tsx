import { Button, Group, Text } from '@mantine/core';
import { Download, Pencil, Trash2, UserRound, X } from 'lucide-react';
import { lazy, Suspense, useState } from 'react';
import { useRefresh } from '../../api/query.ts';
import { useConfirm } from '../../kit/confirm.tsx';
import { locale } from '../../kit/language.ts';
import { Menu } from '../../kit/menu.tsx';
import type { RowSelection } from '../../kit/row-selection.ts';
import { useToast } from '../../kit/toasts.tsx';
import { t } from '../../kit/translate.ts';
import { Needs } from '../access/needs.tsx';
import { deleteAll, mostAtOnce } from './bulk-edit.ts';
import { counted } from './counted.ts';
import classes from './entities.module.css';
import { exportEntities, readAll } from './export-entities.ts';
import { type Field, relationKey } from './fields.ts';
import { isEditedInPlace } from './inline-edit.tsx';
import { useOffers } from './rights.ts';
import { RunOnMany } from './run-on-many.tsx';
import type { EntitySearch } from './use-entities.ts';

// loaded with the first bulk edit
const BulkEditDialog = lazy(async () => ({ default: (await import('./bulk-edit-dialog.tsx')).BulkEditDialog }));

/** Beyond this the browser would hold too many: narrow the filter first. */
const mostSelected = 10_000;

interface BarProps {
  readonly blueprint: string;
  readonly title: string;
  readonly selection: RowSelection;
  readonly search: EntitySearch;
  readonly fields: readonly Field[];
  readonly shown: readonly Field[];
  /** How many match the search. */
  readonly total: number | undefined;
}

/** What can be done with the selected entities, of which there is one at least. */
export function SelectionBar({ blueprint, title, selection, search, fields, shown, total }: BarProps) {
  const { selected, onChange } = selection;
  const [edited, setEdited] = useState<{ readonly first: Field | undefined }>();
  const [isBusy, setBusy] = useState(false);
  const offers = useOffers(blueprint);
  const confirm = useConfirm();
  const toast = useToast();
  const refresh = useRefresh();
  const count = selected.size;
  const editable = fields.filter(
    (field) =>
      isEditedInPlace(field) &&
      field.key !== '$title' &&
      (field.source === 'relation' ? offers.relation(relationKey(field)) : offers.property(field.key)),
  );
  const owner = editable.find(({ key }) => key === '$team');
  const identifiers = [...selected];
  const clear = () => onChange(new Set());
  const edit = (first: Field | undefined) => {
    if (count > mostAtOnce)
      toast({
        text: t(
          'Up to {mostAtOnce} are edited at once. Narrow the filter, or use a data migration of the type for {count}.',
          { mostAtOnce, count: counted(count, title) },
        ),
        kind: 'failure',
      });
    else setEdited({ first });
  };
  const busy = async (work: () => Promise<void>) => {
    setBusy(true);
    try {
      await work();
    } catch (error) {
      toast({ text: (error as Error).message, kind: 'failure' });
    } finally {
      setBusy(false);
    }
  };
  const selectAll = () =>
    busy(async () => {
      const all = await readAll({ ...search, include: ['$identifier'] });
      onChange(new Set(all.flatMap(({ identifier }) => identifier ?? [])));
    });
  const remove = async () => {
    const isSure = await confirm({
      title: t('Delete {count}', { count: counted(count, title) }),
      consequence: t('{count} are deleted for good. Relations that lead to them become empty. This cannot be undone.', {
        count: counted(count, title),
      }),
      verb: t('Delete {count}', { count: counted(count, title) }),
      typed: t('delete {count}', { count }),
    });
    if (!isSure) return;
    await busy(async () => {
      const { deleted, problem } = await deleteAll(blueprint, identifiers);
      await refresh(['searchBlueprintEntities', 'getEntity', 'countEntities', 'groupBlueprintEntities']);
      const gone = new Set(deleted);
      onChange(new Set(identifiers.filter((each) => !gone.has(each))));
      toast(
        problem
          ? {
              text: t('{count} deleted, the rest not: {message}', {
                count: counted(deleted.length, title),
                message: problem.message,
              }),
              kind: 'failure',
            }
          : t('{count} deleted', { count: counted(deleted.length, title) }),
      );
    });
  };
  const save = (kind: 'csv' | 'json') =>
    busy(async () => {
      const entities = await exportEntities({ search, chosen: identifiers, kind, fields, shown });
      toast(t('{entities} exported', { entities: counted(entities, title) }));
    });
  return (
    <fieldset className={classes.selectionBar} aria-label={t('Selected rows')} disabled={isBusy}>
      <Text size="sm" fw={600} role="status">
        {t('{count} selected', { count: count.toLocaleString(locale) })}
      </Text>
      {total !== undefined && count < total && total <= mostSelected && (
        <Button size="compact-sm" variant="subtle" onClick={() => void selectAll()} loading={isBusy}>
          {t('Select all {total}', { total: total.toLocaleString(locale) })}
        </Button>
      )}
      <Group gap={6} className={classes.selectionActions ?? ''}>
        {(editable.length > 0 || offers.permits.edit?.isAllowed === false) && (
          <Needs permit={offers.permits.edit} to={t('edit {count}', { count: counted(count, title) })}>
            <Button
              size="compact-md"
              variant="default"
              leftSection={<Pencil size={14} />}
              onClick={() => edit(undefined)}
            >
              {t('Edit')}
            </Button>
          </Needs>
        )}
        {owner && (
          <Button size="compact-md" variant="default" leftSection={<UserRound size={14} />} onClick={() => edit(owner)}>
            {t('Set owner')}
          </Button>
        )}
        <RunOnMany blueprint={blueprint} title={title} identifiers={identifiers} />
        <Menu position="top-end" withinPortal>
          <Menu.Target>
            <Button size="compact-md" variant="default" leftSection={<Download size={14} />}>
              {t('Export')}
            </Button>
          </Menu.Target>
          <Menu.Dropdown>
            <Menu.Item onClick={() => void save('csv')}>{t('CSV, the columns shown')}</Menu.Item>
            <Menu.Item onClick={() => void save('json')}>{t('JSON, all fields')}</Menu.Item>
          </Menu.Dropdown>
        </Menu>
        <Needs permit={offers.permits.unregister} to={t('delete {count}', { count: counted(count, title) })}>
          <Button
            size="compact-md"
            variant="default"
            c="red"
            leftSection={<Trash2 size={14} />}
            onClick={() => void remove()}
          >
            {t('Delete')}
          </Button>
        </Needs>
        <Button size="compact-md" variant="subtle" color="gray" leftSection={<X size={14} />} onClick={clear}>
          {t('Clear selection')}
        </Button>
      </Group>
      {edited && (
        <Suspense fallback={null}>
          <BulkEditDialog
            blueprint={blueprint}
            title={title}
            identifiers={identifiers}
            fields={editable}
            first={edited.first}
            onClose={() => setEdited(undefined)}
            onDone={clear}
          />
        </Suspense>
      )}
    </fieldset>
  );
}
