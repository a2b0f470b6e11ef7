import { ActionIcon, Button, Select, Stack, Text, TextInput } from '@mantine/core';
import { Plus, X } from 'lucide-react';
import { useRef } from 'react';
import { t } from '../kit/translate.ts';
import { namedColours } from '../theme/colours.ts';
import { ColourBadge } from './badges.tsx';
import classes from './form.module.css';

export interface EnumChoice {
  readonly value: string;
  readonly colour: string;
}

/** Edits the allowed values with their colours; an empty list allows any value. */
export function EnumChoices({
  choices,
  onChange,
  problem,
}: {
  choices: readonly EnumChoice[];
  onChange: (choices: readonly EnumChoice[]) => void;
  problem: string | undefined;
}) {
  const begun = useRef<number>(undefined);
  const add = () => {
    begun.current = choices.length;
    onChange([...choices, { value: '', colour: nextColour(choices.length) }]);
  };
  const set = (index: number, part: Partial<EnumChoice>) =>
    onChange(choices.map((each, at) => (at === index ? { ...each, ...part } : each)));
  return (
    <Stack gap="xs" role="group" aria-label={t('Choices')}>
      <Text size="sm" fw={500}>
        {t('Choices')}
      </Text>
      {choices.map(({ value, colour }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a row is its place in the list; its value is being typed
        <div key={index} className={classes.choice}>
          <TextInput
            aria-label={t('Choice {value}', { value: index + 1 })}
            // focus the value that was just added
            autoFocus={begun.current === index}
            value={value}
            onChange={({ currentTarget }) => set(index, { value: currentTarget.value })}
            onKeyDown={(event) => {
              // one after another by the keyboard; an empty last one leaves Enter to the form
              if (event.key !== 'Enter' || event.nativeEvent.isComposing || index < choices.length - 1 || value === '')
                return;
              event.preventDefault();
              add();
            }}
          />
          <Select
            aria-label={t('Colour of choice {value}', { value: index + 1 })}
            data={Object.keys(namedColours)}
            value={colour}
            allowDeselect={false}
            searchable
            renderOption={({ option }) => <ColourBadge colour={option.value}>{option.label}</ColourBadge>}
            onChange={(chosen) => set(index, { colour: chosen ?? 'lightGray' })}
          />
          <ActionIcon
            size="lg"
            aria-label={t('Remove choice {value}', { value: index + 1 })}
            onClick={() => onChange(choices.filter((_, at) => at !== index))}
          >
            <X size={16} />
          </ActionIcon>
        </div>
      ))}
      {problem && (
        <Text size="sm" c="var(--danger)" role="alert">
          {problem}
        </Text>
      )}
      <Button variant="default" size="xs" w="fit-content" leftSection={<Plus size={14} />} onClick={add}>
        {t('Add choice')}
      </Button>
      <Text size="sm" c="dimmed">
        {t('Without choices, anything of the type is taken.')}
      </Text>
    </Stack>
  );
}

function nextColour(index: number): string {
  const names = Object.keys(namedColours);
  return names[index % names.length] ?? 'blue';
}
