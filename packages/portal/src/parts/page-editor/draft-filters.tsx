import { Button } from '@mantine/core';
import { ListFilter } from 'lucide-react';
import { t } from '../../kit/translate.ts';
import bar from '../widgets/filter-bar.module.css';
import { PageFilterChip } from '../widgets/page-filter-chip.tsx';
import { type Widget, widgetText } from '../widgets/widget-shape.ts';

/** Where readers have the filters of the page: those that it brings, and the way to change them. */
export function DraftFilters({ filters, onEdit }: { filters: readonly Widget[]; onEdit: () => void }) {
  return (
    <fieldset className={bar.bar} aria-label={t('Filters of the page')}>
      {filters.map((filter) => (
        <PageFilterChip key={widgetText(filter, 'identifier')} filter={filter} />
      ))}
      <Button size="compact-sm" variant="subtle" color="gray" leftSection={<ListFilter size={14} />} onClick={onEdit}>
        {t('Edit page filters')}
      </Button>
    </fieldset>
  );
}
