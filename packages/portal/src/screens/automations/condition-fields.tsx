import { Text } from '@mantine/core';
import { issueAt } from '../../kit/refusal.ts';
import { SegmentedControl } from '../../kit/segmented-control.tsx';
import { t } from '../../kit/translate.ts';
import { ConditionList } from '../../parts/condition-list.tsx';
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
      <ConditionList
        conditions={expressions}
        onChange={(next) => set(next)}
        placeholder='.diff.after.properties.state == "lost"'
        errorAt={(index) => issueAt(issues, 'trigger', 'condition', 'expressions', String(index))}
      />
    </>
  );
}
