import { ActionIcon, Button, Checkbox, TextInput } from '@mantine/core';
import { ArrowDown, ArrowUp } from 'lucide-react';
import { useState } from 'react';
import { t } from '../../kit/translate.ts';
import classes from './entities.module.css';
import type { Field } from './fields.ts';

/** Chooses the visible columns and their order; reordering uses buttons, which the keyboard reaches too. */
export function ColumnChooser({
  fields,
  columns,
  onChange,
  onReset,
}: {
  fields: readonly Field[];
  columns: readonly string[];
  onChange: (columns: readonly string[]) => void;
  onReset: () => void;
}) {
  const [text, setText] = useState('');
  const shown = columns.flatMap((key) => fields.find((field) => field.key === key) ?? []);
  const others = fields.filter(({ key }) => !columns.includes(key));
  const fits = ({ title }: Field) => title.toLowerCase().includes(text.toLowerCase());
  const move = (key: string, by: number) => {
    const from = columns.indexOf(key);
    const list = columns.filter((each) => each !== key);
    list.splice(from + by, 0, key);
    onChange(list);
  };
  return (
    <div>
      <TextInput
        size="xs"
        label={t('Find a column')}
        value={text}
        onChange={({ currentTarget }) => setText(currentTarget.value)}
        mb="xs"
      />
      <div className={classes.columns}>
        {shown.filter(fits).map(({ key, title }) => (
          <div key={key} className={classes.columnRow}>
            <Checkbox
              size="xs"
              label={title}
              checked
              disabled={key === '$title'}
              onChange={() => onChange(columns.filter((each) => each !== key))}
            />
            <ActionIcon
              size="sm"
              aria-label={t('Move {title} up', { title })}
              disabled={columns.indexOf(key) <= 1}
              onClick={() => move(key, -1)}
            >
              <ArrowUp size={14} />
            </ActionIcon>
            <ActionIcon
              size="sm"
              aria-label={t('Move {title} down', { title })}
              disabled={key === '$title' || columns.indexOf(key) === columns.length - 1}
              onClick={() => move(key, 1)}
            >
              <ArrowDown size={14} />
            </ActionIcon>
          </div>
        ))}
        {others.filter(fits).map(({ key, title }) => (
          <div key={key} className={classes.columnRow}>
            <Checkbox size="xs" label={title} checked={false} onChange={() => onChange([...columns, key])} />
          </div>
        ))}
      </div>
      <Button mt="xs" size="compact-sm" variant="subtle" onClick={onReset}>
        {t('Show the usual columns')}
      </Button>
    </div>
  );
}
