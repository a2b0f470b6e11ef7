import { Button } from '@mantine/core';
import { Plus, X } from 'lucide-react';
import { type ReactNode, useRef, useState } from 'react';
import { Popover } from '../../kit/popover.tsx';
import { t } from '../../kit/translate.ts';
import { useLoaded } from '../../kit/use-loaded.ts';
import { isComplete, type Rule } from '../entities/operators.ts';
import classes from './filter-bar.module.css';
import { PageFilterChip } from './page-filter-chip.tsx';
import { useRuleWords } from './rule-words.ts';
import type { ReaderFilters } from './use-reader-filters.ts';
import { type Widget, widgetText } from './widget-shape.ts';

// loaded with the first filter
const loadPicker = async () => (await import('../page-filters/filter-picker.tsx')).FilterPicker;

/** What the widgets of a page are filtered by: filters of the page, which are turned off for oneself, and one's own. */
export function FilterBar({
  pageFilters,
  filters,
  canAdd,
}: {
  pageFilters: readonly Widget[];
  filters: ReaderFilters;
  canAdd: boolean;
}) {
  const { rules, off, fields, setRules, setOff } = filters;
  const wordsOf = useRuleWords(rules, fields);
  const [open, setOpen] = useState<{ readonly index: number; readonly isNew: boolean }>();
  const [FilterPicker, load] = useLoaded(loadPicker);
  const bar = useRef<HTMLFieldSetElement>(null);
  if (pageFilters.length === 0 && rules.length === 0 && !(canAdd && fields.length > 0)) return null;
  // a new filter becomes a chip when its form is closed, so that the form stays where it is
  const shown = open?.isNew ? rules.slice(0, open.index) : rules;
  const isOpen = (index: number, isNew: boolean) => open?.index === index && open.isNew === isNew;
  const toggle = async (index: number, isNew: boolean) => {
    await load();
    setOpen(isOpen(index, isNew) ? undefined : { index, isNew });
  };
  const remove = (index: number) => {
    setRules(rules.toSpliced(index, 1));
    // the button that was pressed is gone with its chip
    bar.current?.querySelector<HTMLElement>('[data-add]')?.focus();
  };
  const editor = (index: number, rule: Rule | undefined, opener: ReactNode) => (
    <Popover
      opened={isOpen(index, rule === undefined) && FilterPicker !== undefined}
      onChange={(isNowOpen) => !isNowOpen && setOpen(undefined)}
      position="bottom-start"
      shadow="md"
      trapFocus
      returnFocus
      withinPortal
      closeOnClickOutside={false}
    >
      <Popover.Target>{opener}</Popover.Target>
      <Popover.Dropdown w="min(320px, 92vw)" aria-label={rule ? t('Change the filter') : t('Add a filter')}>
        {FilterPicker && (
          <FilterPicker
            fields={fields}
            rule={rule}
            onChange={(next) => setRules(rules.toSpliced(index, 1, next))}
            onDone={() => setOpen(undefined)}
          />
        )}
      </Popover.Dropdown>
    </Popover>
  );
  return (
    <fieldset ref={bar} className={classes.bar} aria-label={t('Filters of the page')}>
      {pageFilters.map((filter) => {
        const name = widgetText(filter, 'identifier') ?? '';
        const isOn = !off.includes(name);
        return (
          <PageFilterChip
            key={name}
            filter={filter}
            isOn={isOn}
            onToggle={() => setOff(isOn ? [...off, name] : off.filter((each) => each !== name))}
          />
        );
      })}
      {shown.map((rule, index) => {
        const words = wordsOf(rule);
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: rules have no name of their own
          <span key={index} className={classes.chip} data-idle={!isComplete(rule) || undefined}>
            {editor(
              index,
              rule,
              <button type="button" className={classes.words} title={words} onClick={() => void toggle(index, false)}>
                <span className={classes.text} dir="auto">
                  {words}
                </span>
              </button>,
            )}
            <button
              type="button"
              className={classes.remove}
              aria-label={t('Remove the filter {words}', { words })}
              onClick={() => remove(index)}
            >
              <X size={13} aria-hidden="true" />
            </button>
          </span>
        );
      })}
      {canAdd &&
        fields.length > 0 &&
        editor(
          shown.length,
          undefined,
          <Button
            data-add
            size="compact-sm"
            variant="subtle"
            color="gray"
            leftSection={<Plus size={14} />}
            onClick={() => void toggle(shown.length, true)}
          >
            {t('Filter')}
          </Button>,
        )}
    </fieldset>
  );
}
