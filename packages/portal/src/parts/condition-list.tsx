import { ActionIcon, Button } from '@mantine/core';
import { Plus, X } from 'lucide-react';
import { t } from '../kit/translate.ts';
import classes from './condition-list.module.css';
import { JqField } from './jq-field.tsx';

/** Conditions as JQ expressions, one below the other, to add to and to remove from. */
export function ConditionList({
  conditions,
  onChange,
  placeholder,
  description,
  errorAt,
  keepsOne = false,
}: {
  conditions: readonly string[];
  onChange: (conditions: readonly string[]) => void;
  placeholder: string;
  /** Shown with each condition, which then also shows its label. */
  description?: string;
  errorAt: (index: number) => string | undefined;
  /** The last condition cannot be removed. */
  keepsOne?: boolean;
}) {
  return (
    <>
      {conditions.map((condition, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: an expression has no name but its place
        <div key={index} className={classes.condition} data-described={description !== undefined || undefined}>
          <JqField
            label={t('Condition {value}', { value: index + 1 })}
            {...(description === undefined ? { isLabelHidden: true } : { description })}
            placeholder={placeholder}
            value={condition}
            error={errorAt(index)}
            onChange={(value) => onChange(conditions.map((each, at) => (at === index ? value : each)))}
          />
          <ActionIcon
            size={36}
            disabled={keepsOne && conditions.length === 1}
            aria-label={t('Remove condition {value}', { value: index + 1 })}
            onClick={() => onChange(conditions.filter((_each, at) => at !== index))}
          >
            <X size={16} />
          </ActionIcon>
        </div>
      ))}
      <Button
        size="xs"
        variant="default"
        w="fit-content"
        leftSection={<Plus size={14} />}
        onClick={() => onChange([...conditions, ''])}
      >
        {t('Condition')}
      </Button>
    </>
  );
}
