import { Box, Button, Group, Text, Title } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useState } from 'react';
import surfaces from '../../kit/surfaces.module.css';
import { useToast } from '../../kit/toasts.tsx';
import { t } from '../../kit/translate.ts';
import { ActionForm } from '../../parts/action-form.tsx';
import { EntityPicker } from '../../parts/entity-picker.tsx';
import { type Draft, formOnly } from './action-draft.ts';
import type { Sample } from './trial.ts';

/** A preview of the unsaved form as the user of the action sees it; submitting does nothing. */
export function FormPreview({ draft, sample }: { draft: Draft; sample: Sample }) {
  const [round, setRound] = useState(0);
  const toast = useToast();
  const { trigger } = draft;
  const { blueprintIdentifier: blueprint } = trigger;
  // debounced: the server evaluates after a pause
  const [text] = useDebouncedValue(JSON.stringify(formOnly(draft)), 400);
  const unsaved = JSON.parse(text) as Draft;
  const acts = trigger.operation !== 'CREATE' && Boolean(blueprint);
  const verb = trigger.executeActionButtonText || (draft.requiredApproval ? t('Request approval') : t('Run'));
  return (
    <section className={surfaces.block} aria-label={t('Preview of the form')}>
      <Group justify="space-between" mb="sm">
        <Title order={2} size="h3">
          {t('Preview')}
        </Title>
        <Button
          size="compact-sm"
          variant="subtle"
          onClick={() => {
            sample.setTyped({});
            setRound(round + 1);
          }}
        >
          {t('Empty it')}
        </Button>
      </Group>
      <Text size="sm" c="dimmed" mb="md">
        {t('Fill it in to see what shows and what is wrong. Nothing is sent.')}
      </Text>
      {acts && blueprint && (
        <Box mb="md">
          <EntityPicker
            id="preview-entity"
            label={t('Which {blueprint}?', { blueprint })}
            blueprint={blueprint}
            value={sample.entity === undefined ? [] : [sample.entity]}
            onChange={([entity]) => sample.setEntity(entity)}
          />
        </Box>
      )}
      <ActionForm
        key={`${round} ${acts ? (sample.entity ?? '') : ''}`}
        action={draft.identifier}
        trigger={unsaved.trigger}
        entity={acts ? sample.entity : undefined}
        initial={sample.typed}
        verb={verb}
        isDangerous={trigger.operation === 'DELETE'}
        unsaved={unsaved}
        onTyped={sample.setTyped}
        onSend={async () => {
          toast(t('The inputs are complete. Nothing was sent.'));
        }}
      />
    </section>
  );
}
