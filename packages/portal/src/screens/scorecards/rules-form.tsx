import { Button, Group, Text } from '@mantine/core';
import { Plus } from 'lucide-react';
import { useState } from 'react';
import { t } from '../../kit/translate.ts';
import type { Field } from '../../parts/entities/fields.ts';
import { useTeams } from '../../parts/entities/team-form.ts';
import { type ConditionGroup, writeSentence } from './conditions.ts';
import { LevelHeading } from './level-heading.tsx';
import { RuleRow } from './rule-row.tsx';
import { addLevel, addRule, changeRule, type Draft } from './scorecard-draft.ts';
import classes from './scorecards.module.css';

/** The levels from the highest down, each with its rules as sentences. */
export function RulesForm({
  draft,
  base,
  fields,
  onChange,
}: {
  draft: Draft;
  /** The stored version: rules that it has keep their identifiers. */
  base: Draft;
  fields: readonly Field[];
  onChange: (draft: Draft) => void;
}) {
  const [open, setOpen] = useState<number>();
  const { nameOf } = useTeams();
  const sentence = (group: ConditionGroup) => writeSentence(group, fields, nameOf);
  const known = new Set(base.rules.map(({ identifier }) => identifier));
  const top = draft.levels.at(-1)?.title;
  const change = (next: Draft) => {
    setOpen(undefined);
    onChange(next);
  };
  return (
    <section className={classes.levelsForm} aria-label={t('Levels and rules')}>
      <Group gap="xs">
        <Button
          size="xs"
          leftSection={<Plus size={14} aria-hidden="true" />}
          disabled={draft.levels.length < 2 || top === undefined}
          onClick={() => {
            if (top === undefined) return;
            setOpen(draft.rules.length);
            onChange(addRule(draft, top));
          }}
        >
          {t('Add rule')}
        </Button>
        <Button
          size="xs"
          variant="default"
          leftSection={<Plus size={14} aria-hidden="true" />}
          onClick={() => change(addLevel(draft))}
        >
          {t('Add level')}
        </Button>
      </Group>
      {draft.levels
        .map((level, index) => ({ level, index }))
        .reverse()
        .map(({ level, index }) => (
          <div key={index} className={classes.level}>
            <LevelHeading draft={draft} index={index} onChange={change} />
            {index === 0 ? (
              <Text size="sm" c="dimmed">
                {t('Every entity starts here. The lowest level has no rules.')}
              </Text>
            ) : (
              <ul className={classes.rules}>
                {draft.rules.map((rule, at) =>
                  rule.level === level.title ? (
                    <RuleRow
                      // biome-ignore lint/suspicious/noArrayIndexKey: identifiers of new rules follow their titles
                      key={at}
                      rule={rule}
                      sentence={sentence(rule.query)}
                      levels={draft.levels}
                      fields={fields}
                      isOpen={open === at}
                      onOpen={(isOpen) => setOpen(isOpen ? at : undefined)}
                      onChange={(changed) =>
                        onChange(changeRule(draft, at, changed, sentence, !known.has(rule.identifier)))
                      }
                      onRemove={() => change({ ...draft, rules: draft.rules.filter((_, other) => other !== at) })}
                    />
                  ) : null,
                )}
                {!draft.rules.some((rule) => rule.level === level.title) && (
                  <li className={classes.none}>{t('No rules. This level is skipped.')}</li>
                )}
              </ul>
            )}
          </div>
        ))}
    </section>
  );
}
