import { ActionIcon, Button, Text } from '@mantine/core';
import { Plus, X } from 'lucide-react';
import { issueAt } from '../../kit/refusal.ts';
import { SegmentedControl } from '../../kit/segmented-control.tsx';
import { t } from '../../kit/translate.ts';
import { JqField } from '../../parts/jq-field.tsx';
import classes from './automations.module.css';
import type { EditorProps } from './editor-props.ts';

/** The condition: expressions over the event, of which all or any must be true. */
export function ConditionFields({ draft, onChange, issues }: EditorProps) {
  const { trigger } = draft;
  const { condition } = trigger;
  const expressions = condition?.expressions ?? [];
  const combinator = condition?.combinator ?? 'and';
  const set = (next: readonly string[], how: 'and' | 'or' = combinator) => {
    const { condition: _before, ...rest } = trigger;
    const changed = { ...condition, type: 'JQ' as const, expressions: [...next], combinator: how };
    onChange({ ...draft, trigger: next.length === 0 ? rest : { ...rest, condition: changed } });
  };
  return (
    <>
      <Text size="sm" c="dimmed">
        {expressions.length === 0
          ? t('Runs for each such event. To limit that, enter a JQ expression over the event that must be true.')
          : t('Over the event: .action, .context, .diff.before, .diff.after, .trigger. Only true holds.')}
      </Text>
      {expressions.length > 1 && (
        <SegmentedControl
          aria-label={t('How conditions are joined')}
          data={[
            { value: 'and', label: t('All must hold') },
            { value: 'or', label: t('One is enough') },
          ]}
          value={combinator}
          onChange={(how) => set(expressions, how as 'and' | 'or')}
        />
      )}
      {expressions.map((expression, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: an expression has no name but its place
        <div key={index} className={classes.expression}>
          <JqField
            label={t('Condition {value}', { value: index + 1 })}
            isLabelHidden
            placeholder='.diff.after.properties.state == "lost"'
            value={expression}
            error={issueAt(issues, 'trigger', 'condition', 'expressions', String(index))}
            onChange={(value) => set(expressions.map((each, at) => (at === index ? value : each)))}
          />
          <ActionIcon
            size={36}
            aria-label={t('Remove condition {value}', { value: index + 1 })}
            onClick={() => set(expressions.filter((_each, at) => at !== index))}
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
        onClick={() => set([...expressions, ''])}
      >
        {t('Condition')}
      </Button>
    </>
  );
}
