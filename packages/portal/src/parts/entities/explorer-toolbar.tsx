import { Button } from '@mantine/core';
import { Columns3, Download, ListFilter } from 'lucide-react';
import { type ReactNode, useRef, useState } from 'react';
import { useCommands } from '../../frame/commands.tsx';
import { locale } from '../../kit/language.ts';
import { Menu } from '../../kit/menu.tsx';
import { Popover } from '../../kit/popover.tsx';
import { useToast } from '../../kit/toasts.tsx';
import { t } from '../../kit/translate.ts';
import { useLoaded } from '../../kit/use-loaded.ts';
import { ColumnChooser } from './column-chooser.tsx';
import classes from './entities.module.css';
import { exportEntities } from './export-entities.ts';
import type { Field } from './fields.ts';
import { firstRule } from './first-rule.ts';
import { GroupBy } from './group-by.tsx';
import { completed, noRules } from './operators.ts';
import { SearchBox } from './search-box.tsx';
import type { EntitySearch } from './use-entities.ts';
import type { View } from './view.ts';

// loaded with the first filter
const loadBuilder = async () => (await import('./filter-builder.tsx')).FilterBuilder;

interface ToolbarProps {
  readonly label: string;
  readonly text: string;
  readonly onText: (text: string) => void;
  readonly view: View;
  readonly onView: (part: View) => void;
  readonly usualColumns: readonly string[];
  readonly fields: readonly Field[];
  readonly search: EntitySearch;
  readonly isCompact: boolean;
  readonly children?: ReactNode;
}

/** The toolbar of a table: search, filter, grouping, columns, export. */
export function ExplorerToolbar({
  label,
  text,
  onText,
  view,
  onView,
  usualColumns,
  fields,
  search,
  isCompact,
  children,
}: ToolbarProps) {
  const [open, setOpen] = useState<'filter' | 'columns'>();
  const [FilterBuilder, load] = useLoaded(loadBuilder);
  const filter = view.filter ?? noRules;
  const openFilter = async () => {
    await load();
    if (filter.rules.length === 0) onView({ filter: { ...filter, rules: firstRule(fields) } });
    setOpen('filter');
  };
  const closeFilter = () => {
    setOpen(undefined);
    const sent = completed(filter);
    onView({ filter: sent.rules.length > 0 ? sent : undefined });
  };
  const field = useRef<HTMLInputElement>(null);
  const count = completed(filter).rules.length;
  return (
    <div className={classes.toolbar}>
      <SearchBox label={label} value={text} onChange={onText} field={field} className={classes.search ?? ''} />
      <Popover
        opened={open === 'filter'}
        onChange={(isOpen) => (isOpen ? setOpen('filter') : closeFilter())}
        position="bottom-start"
        shadow="md"
        trapFocus
        returnFocus
        withinPortal
        closeOnClickOutside={false}
      >
        <Popover.Target>
          <Button
            variant="default"
            leftSection={<ListFilter size={14} />}
            onClick={() => (open === 'filter' ? closeFilter() : void openFilter())}
          >
            {t('Filter{word}', { word: count > 0 ? ` (${count})` : '' })}
          </Button>
        </Popover.Target>
        <Popover.Dropdown maw="min(720px, 94vw)" mah="70vh" style={{ overflow: 'auto' }}>
          {FilterBuilder && (
            <FilterBuilder
              query={filter}
              fields={fields}
              onChange={(next) => onView({ filter: next.rules.length > 0 ? next : undefined })}
            />
          )}
          <Button mt="sm" size="compact-sm" onClick={closeFilter}>
            {t('Done')}
          </Button>
        </Popover.Dropdown>
      </Popover>
      {!isCompact && <GroupBy fields={fields} value={view.group} onChange={(group) => onView({ group })} />}
      <Popover
        opened={open === 'columns'}
        onChange={(isOpen) => setOpen(isOpen ? 'columns' : undefined)}
        position="bottom-end"
        shadow="md"
        trapFocus
        returnFocus
        withinPortal
        width={300}
      >
        <Popover.Target>
          <Button
            variant="default"
            leftSection={<Columns3 size={14} />}
            onClick={() => setOpen(open === 'columns' ? undefined : 'columns')}
          >
            {t('Columns')}
          </Button>
        </Popover.Target>
        <Popover.Dropdown>
          <ColumnChooser
            fields={fields}
            columns={view.columns ?? usualColumns}
            onChange={(columns) => onView({ columns })}
            onReset={() => onView({ columns: usualColumns })}
          />
        </Popover.Dropdown>
      </Popover>
      <ExportMenu label={label} search={search} fields={fields} columns={view.columns ?? usualColumns} />
      <span className={classes.spacer} />
      {children}
      {!isCompact && <TableCommands onSearch={() => field.current?.focus()} onFilter={() => void openFilter()} />}
    </div>
  );
}

function TableCommands({ onSearch, onFilter }: { onSearch: () => void; onFilter: () => void }) {
  useCommands([
    { id: 'table-search', label: t('Search in the table'), keys: '/', run: onSearch },
    { id: 'table-filter', label: t('Filter the table'), keys: 'f', run: onFilter },
  ]);
  return null;
}

function ExportMenu({
  label,
  search,
  fields,
  columns,
}: {
  label: string;
  search: EntitySearch;
  fields: readonly Field[];
  columns: readonly string[];
}) {
  const toast = useToast();
  const [count, setCount] = useState<number>();
  const isRunning = count !== undefined;
  const run = async (kind: 'csv' | 'json') => {
    setCount(0);
    try {
      const shown = columns.flatMap((key) => fields.find((each) => each.key === key) ?? []);
      const total = await exportEntities({ search, kind, fields, shown, onProgress: setCount });
      toast(
        t('{total} {word} exported', {
          total: total.toLocaleString(locale),
          word: total === 1 ? t('entity was') : t('entities were'),
        }),
      );
    } catch (error) {
      toast({ text: t('The export failed: {message}', { message: (error as Error).message }), kind: 'failure' });
    } finally {
      setCount(undefined);
    }
  };
  return (
    <Menu position="bottom-end" withinPortal shadow="md">
      <Menu.Target>
        <Button
          variant="default"
          leftSection={<Download size={14} />}
          disabled={isRunning}
          aria-label={t('Export {label}', { label })}
        >
          {isRunning ? t('Exporting {count}', { count: count.toLocaleString(locale) }) : t('Export')}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item onClick={() => void run('csv')}>{t('CSV, the columns that are shown')}</Menu.Item>
        <Menu.Item onClick={() => void run('json')}>{t('JSON, everything')}</Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
