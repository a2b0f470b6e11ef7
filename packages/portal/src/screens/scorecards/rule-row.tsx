import { ActionIcon, Button, Group, Select, Stack, TextInput } from '@mantine/core';
import { Pencil, Trash2 } from 'lucide-react';
import { t } from '../../kit/translate.ts';
import type { Field } from '../../parts/entities/fields.ts';
import { ConditionList } from './condition-list.tsx';
import type { Level, Rule } from './scorecard-draft.ts';
import classes from './scorecards.module.css';

interface RuleRowProps {
  readonly rule: Rule;
  /** The conditions in words. */
  readonly sentence: string;
  readonly levels: readonly Level[];
  readonly fields: readonly Field[];
  readonly isOpen: boolean;
  readonly onOpen: (isOpen: boolean) => void;
  readonly onChange: (rule: Rule) => void;
  readonly onRemove: () => void;
}

/** A rule as a sentence, or its form. */
export function RuleRow({ rule, sentence, isOpen, onOpen, onRemove, ...form }: RuleRowProps) {
  const name = rule.title || sentence || t('New rule');
  const shown = rule.title && rule.title !== sentence ? rule.title : sentence || t('New rule');
  return (
    <li className={classes.rule}>
      <div className={classes.ruleHead}>
        <div className={classes.ruleText}>
          <span dir="auto">{shown}</span>
          {sentence && shown !== sentence && (
            <span className={classes.sentence} dir="auto">
              {sentence}
            </span>
          )}
        </div>
        <Group gap={2} wrap="nowrap">
          <ActionIcon
            size={28}
            aria-label={t('Edit rule {name}', { name })}
            aria-expanded={isOpen}
            onClick={() => onOpen(!isOpen)}
          >
            <Pencil size={15} aria-hidden="true" />
          </ActionIcon>
          <ActionIcon size={28} aria-label={t('Remove rule {name}', { name })} onClick={onRemove}>
            <Trash2 size={15} aria-hidden="true" />
          </ActionIcon>
        </Group>
      </div>
      {isOpen && <RuleForm rule={rule} {...form} onDone={() => onOpen(false)} />}
    </li>
  );
}

function RuleForm({
  rule,
  levels,
  fields,
  onChange,
  onDone,
}: Pick<RuleRowProps, 'rule' | 'levels' | 'fields' | 'onChange'> & { onDone: () => void }) {
  const isNew = rule.title === '' && rule.query.conditions.length <= 1;
  return (
    <Stack gap="sm" className={classes.ruleForm ?? ''}>
      <ConditionList
        group={rule.query}
        fields={fields}
        isFocused={isNew}
        onChange={(query) => onChange({ ...rule, query })}
      />
      <div className={classes.ruleFields}>
        <TextInput
          label={t('Rule title')}
          description={t('Leave as is to use the sentence.')}
          value={rule.title}
          onChange={({ currentTarget }) => onChange({ ...rule, title: currentTarget.value })}
        />
        <Select
          label={t('Level')}
          description={t('Entities reach it once all its rules pass.')}
          allowDeselect={false}
          data={levels.slice(1).map(({ title }) => title)}
          value={rule.level}
          onChange={(level) => level && onChange({ ...rule, level })}
        />
      </div>
      <TextInput
        label={t('Why it matters')}
        value={rule.description ?? ''}
        onChange={({ currentTarget }) => {
          const { description: _, ...rest } = rule;
          onChange(currentTarget.value ? { ...rest, description: currentTarget.value } : rest);
        }}
      />
      <Button w="fit-content" size="xs" variant="default" onClick={onDone}>
        {t('Close rule')}
      </Button>
    </Stack>
  );
}
