import { Button, Group, Select, Stack, Text, TextInput } from '@mantine/core';
import { Plus } from 'lucide-react';
import { useRef } from 'react';
import { useRead } from '../../api/query.ts';
import surfaces from '../../kit/surfaces.module.css';
import { t } from '../../kit/translate.ts';
import { commonFields } from '../entities/fields.ts';
import { FilterBuilder } from '../entities/filter-builder.tsx';
import { noRules, type Query } from '../entities/operators.ts';
import { useFields } from '../entities/use-fields.ts';
import { everyBlueprint, toQuery, type Widget, widgetMap, widgetText } from '../widgets/widget-shape.ts';
import classes from './page-editor.module.css';
import { newFilter, withBlueprint, withRules, withTitle } from './page-filter-draft.ts';

/** Filters for all widgets of the page; each reader can turn them off for themselves. */
export function PageFilters({
  filters,
  onChange,
}: {
  filters: readonly Widget[];
  onChange: (filters: readonly Widget[]) => void;
}) {
  const begun = useRef<number>(undefined);
  return (
    <section className={surfaces.block} aria-label={t('Filters of the page')}>
      <fieldset className={classes.list}>
        <legend>{t('Filters')}</legend>
        <Stack gap="md">
          <Text size="sm" c="dimmed">
            {t('Each applies to all widgets of its type. Readers see them above the widgets, and can turn them off.')}
          </Text>
          {filters.map((filter, index) => (
            <OneFilter
              // biome-ignore lint/suspicious/noArrayIndexKey: the name of a filter is being written
              key={index}
              place={index + 1}
              filter={filter}
              isNew={begun.current === index}
              onChange={(next) => onChange(filters.with(index, next))}
              onRemove={() => onChange(filters.toSpliced(index, 1))}
            />
          ))}
          <Group>
            <Button
              size="compact-sm"
              variant="default"
              leftSection={<Plus size={14} />}
              onClick={() => {
                begun.current = filters.length;
                onChange([...filters, newFilter(filters)]);
              }}
            >
              {t('Add a filter')}
            </Button>
          </Group>
        </Stack>
      </fieldset>
    </section>
  );
}

interface OneProps {
  readonly place: number;
  readonly filter: Widget;
  readonly isNew: boolean;
  readonly onChange: (filter: Widget) => void;
  readonly onRemove: () => void;
}

function OneFilter({ place, filter, isNew, onChange, onRemove }: OneProps) {
  const blueprints = useRead('listBlueprints');
  const about = widgetText(widgetMap(filter, 'query'), 'blueprint') ?? everyBlueprint;
  const known = (blueprints.data?.blueprints ?? []).map(({ identifier, title }) => ({
    value: identifier,
    label: title,
  }));
  const isKnown = about === everyBlueprint || known.some(({ value }) => value === about);
  return (
    <fieldset className={classes.listItem} aria-label={t('Filter {place}', { place })}>
      <Stack gap="xs" flex={1} miw={0}>
        <TextInput
          label={t('Name')}
          maw={560}
          autoFocus={isNew}
          maxLength={200}
          value={widgetText(filter, 'title') ?? ''}
          placeholder={widgetText(filter, 'identifier') ?? ''}
          onChange={({ currentTarget }) => onChange(withTitle(filter, currentTarget.value))}
        />
        <Select
          label={t('About')}
          maw={560}
          description={t('Changing this clears the rules')}
          searchable
          allowDeselect={false}
          data={[
            { value: everyBlueprint, label: t('Entities of every blueprint') },
            ...known,
            ...(isKnown ? [] : [{ value: about, label: about }]),
          ]}
          value={about}
          onChange={(next) => next !== null && next !== about && onChange(withBlueprint(filter, next))}
        />
        <Rules
          about={about}
          query={toQuery(filter['query']) ?? noRules}
          onChange={(query) => onChange(withRules(filter, query))}
        />
        <Group>
          <Button size="compact-sm" variant="subtle" color="red" onClick={onRemove}>
            {t('Remove filter {place}', { place })}
          </Button>
        </Group>
      </Stack>
    </fieldset>
  );
}

interface RulesProps {
  readonly about: string;
  readonly query: Query;
  readonly onChange: (query: Query) => void;
}

function Rules(props: RulesProps) {
  const { about, query, onChange } = props;
  if (about === everyBlueprint) return <FilterBuilder query={query} fields={commonFields()} onChange={onChange} />;
  return <BlueprintRules {...props} />;
}

function BlueprintRules({ about, query, onChange }: RulesProps) {
  const { fields, read } = useFields(about);
  if (fields) return <FilterBuilder query={query} fields={fields} onChange={onChange} />;
  if (!read.error) return null;
  return (
    <Text size="sm" c="red" role="alert">
      {t('{message}. Choose another type for the filter, or edit it as JSON.', { message: read.error.message })}
    </Text>
  );
}
