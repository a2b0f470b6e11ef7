import { Button } from '@mantine/core';
import { t } from '../../kit/translate.ts';
import type { Field } from '../../parts/entities/fields.ts';
import { ConditionList } from './condition-list.tsx';
import type { ConditionGroup } from './conditions.ts';
import type { Draft } from './scorecard-draft.ts';
import classes from './scorecards.module.css';

/** Which entities the scorecard measures; all unless told. */
export function FilterForm({
  draft,
  fields,
  onChange,
}: {
  draft: Draft;
  fields: readonly Field[];
  onChange: (draft: Draft) => void;
}) {
  const set = (filter: ConditionGroup) => {
    const { filter: _, ...rest } = draft;
    onChange(filter.conditions.length > 0 ? { ...rest, filter } : rest);
  };
  return (
    <fieldset className={classes.filter}>
      <legend>{t('Measured entities')}</legend>
      {draft.filter ? (
        <ConditionList group={draft.filter} fields={fields} onChange={set} />
      ) : (
        <>
          <p className={classes.none}>{t('All entities of the blueprint.')}</p>
          <Button
            size="compact-sm"
            variant="default"
            onClick={() => set({ combinator: 'and', conditions: [{ operator: 'isNotEmpty' }] })}
          >
            {t('Add filter')}
          </Button>
        </>
      )}
    </fieldset>
  );
}
