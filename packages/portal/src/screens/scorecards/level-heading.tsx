import { ActionIcon, Group, Popover, Select, Stack, TextInput } from '@mantine/core';
import { ArrowDown, ArrowUp, Pencil, Trash2 } from 'lucide-react';
import { t } from '../../kit/translate.ts';
import { ColourBadge } from '../../parts/badges.tsx';
import { namedColours } from '../../theme/colours.ts';
import { changeLevel, type Draft, type Level, moveLevel, removeLevel } from './scorecard-draft.ts';
import classes from './scorecards.module.css';

const colours = Object.keys(namedColours);

/** A level with its color, place and title; each can be changed. */
export function LevelHeading({
  draft,
  index,
  onChange,
}: {
  draft: Draft;
  index: number;
  onChange: (draft: Draft) => void;
}) {
  const level = draft.levels[index] as Level;
  const last = draft.levels.length - 1;
  const isHolding = draft.rules.length > 0 && last <= 1;
  const button = { size: 28 } as const;
  return (
    <div className={classes.levelHead}>
      <h3 className={classes.levelTitle}>
        <ColourBadge colour={level.color}>{level.title || t('Untitled level')}</ColourBadge>
      </h3>
      <Group gap={2} wrap="nowrap">
        <ActionIcon
          {...button}
          aria-label={t('Move {title} down', { title: level.title })}
          disabled={index === 0}
          onClick={() => onChange(moveLevel(draft, index, -1))}
        >
          <ArrowDown size={15} aria-hidden="true" />
        </ActionIcon>
        <ActionIcon
          {...button}
          aria-label={t('Move {title} up', { title: level.title })}
          disabled={index === last}
          onClick={() => onChange(moveLevel(draft, index, 1))}
        >
          <ArrowUp size={15} aria-hidden="true" />
        </ActionIcon>
        <Popover position="bottom-end" trapFocus returnFocus withinPortal={false}>
          <Popover.Target>
            <ActionIcon {...button} aria-label={t('Edit level {title}', { title: level.title })}>
              <Pencil size={15} aria-hidden="true" />
            </ActionIcon>
          </Popover.Target>
          <Popover.Dropdown>
            <Stack gap="sm">
              <TextInput
                label={t('Level title')}
                value={level.title}
                onChange={({ currentTarget }) =>
                  onChange(changeLevel(draft, index, { ...level, title: currentTarget.value }))
                }
              />
              <Select
                label={t('Color')}
                data={colours}
                allowDeselect={false}
                value={level.color}
                comboboxProps={{ withinPortal: false }}
                onChange={(color) =>
                  color && onChange(changeLevel(draft, index, { ...level, color: color as Level['color'] }))
                }
              />
            </Stack>
          </Popover.Dropdown>
        </Popover>
        <ActionIcon
          {...button}
          aria-label={t('Remove level {title}', { title: level.title })}
          disabled={last === 0 || isHolding}
          onClick={() => onChange(removeLevel(draft, index))}
        >
          <Trash2 size={15} aria-hidden="true" />
        </ActionIcon>
      </Group>
    </div>
  );
}
