import { useRef } from 'react';
import { useRead } from '../../api/query.ts';
import { Menu } from '../../kit/menu.tsx';
import { plural, t } from '../../kit/translate.ts';
import type { Field } from './fields.ts';
import { chosenValues, type Filtering, withChosen } from './value-filter.ts';
import { type Counted, countName, type Share, shareText, toShares, valuesMax } from './value-shares.ts';
import classes from './value-strips.module.css';

/**
 * Every value of a column with its count, to filter by. While some are chosen, the others keep the counts that they would
 * have without this choice.
 */
export function ValueItems({
  field,
  counts,
  filtering,
  onClose,
}: {
  field: Field;
  /** With the filter as it is. */
  counts: Counted;
  filtering: Filtering;
  onClose: () => void;
}) {
  const { blueprint, filter, queryWith, onFilter } = filtering;
  const chosen = chosenValues(filter, field);
  const isChosen = chosen.length > 0;
  const query = queryWith(withChosen(filter, field, []));
  const without = useRead(
    'countBlueprintValues',
    {
      params: { blueprint_identifier: blueprint },
      body: { properties: [countName(field)], limit: valuesMax, ...(query ? { query } : {}) },
    },
    { isOn: isChosen },
  );
  const now = isChosen ? without.data?.counts[0] : counts;
  // the first choice must not empty the list until the counts without it are there
  const last = useRef(now ?? counts);
  if (now) last.current = now;
  const { groupsLeftOut } = last.current;
  const toggle = ({ value }: Share, isOn: boolean) =>
    onFilter(withChosen(filter, field, isOn ? [...chosen, value] : chosen.filter((each) => each !== value)));
  return (
    <>
      <Menu.Label>{t('Filter by {title}', { title: field.title })}</Menu.Label>
      {toShares(field, last.current, chosen).map((share) => {
        const isOn = chosen.includes(share.value);
        return (
          <Menu.CheckboxItem
            key={JSON.stringify(share.value)}
            checked={isOn}
            onChange={(next) => toggle(share, next)}
            disabled={share.count === 0 && !isOn}
            rightSection={<span className={classes.figures}>{shareText(share)}</span>}
          >
            <span className={classes.value}>
              <span className={classes.swatch} style={{ background: share.colour }} aria-hidden="true" />
              <span className={classes.text} dir="auto">
                {share.text}
              </span>
            </span>
          </Menu.CheckboxItem>
        );
      })}
      {groupsLeftOut > 0 && (
        <Menu.Label>{plural(groupsLeftOut, '{count} more value', '{count} more values')}</Menu.Label>
      )}
      {without.error && <Menu.Label>{t('Portolan could not count the other values.')}</Menu.Label>}
      {isChosen && (
        <>
          <Menu.Divider />
          <Menu.Item
            onClick={() => {
              onFilter(withChosen(filter, field, []));
              onClose();
            }}
          >
            {t('Remove this filter')}
          </Menu.Item>
        </>
      )}
    </>
  );
}
