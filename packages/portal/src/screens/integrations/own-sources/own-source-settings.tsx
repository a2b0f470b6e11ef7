import { Button, Group, NativeSelect, NumberInput, Stack, Switch } from '@mantine/core';
import { useState } from 'react';
import { useChange, useRead } from '../../../api/query.ts';
import { useAttempt } from '../../../kit/attempt.ts';
import { Block } from '../../../kit/block.tsx';
import { Reading } from '../../../kit/states.tsx';
import { useToast } from '../../../kit/toasts.tsx';
import { t } from '../../../kit/translate.ts';
import { type OwnSource, sourceReads } from './own-source.ts';
import { OwnSourceForm } from './own-source-form.tsx';

/** When a source is read and what becomes of what is gone; then its connection and settings. */
export function OwnSourceSettings({ source }: { source: OwnSource }) {
  const reading = useRead('getSourceType', { params: { source_type: source.type } });
  const toast = useToast();
  return (
    <Stack gap="lg" maw={760}>
      <Schedule key={`${source.scheduleMinutes} ${source.deletion}`} source={source} />
      <Reading of={reading}>
        {({ sourceType }) => (
          <OwnSourceForm
            key={source.updatedAt}
            sourceType={sourceType}
            source={source}
            onSaved={() => toast(t('The settings were saved'))}
          />
        )}
      </Reading>
    </Stack>
  );
}

const deletions = [
  { value: 'delete', label: t('Delete it, after some days and under the guard') },
  { value: 'mark', label: t('Keep it, and list it as no longer there') },
  { value: 'keep', label: t('Keep it') },
];
const minutesDefault = 60;

function Schedule({ source: { identifier, scheduleMinutes, deletion } }: { source: OwnSource }) {
  const [minutes, setMinutes] = useState<number | string | null>(scheduleMinutes);
  const [gone, setGone] = useState(deletion);
  const patch = useChange('patchSource', { staleAfter: [...sourceReads] });
  const attempt = useAttempt();
  return (
    <form
      aria-label={t('Schedule')}
      onSubmit={(event) => {
        event.preventDefault();
        const body = { scheduleMinutes: minutes === null ? null : Number(minutes), deletion: gone };
        void attempt(
          () => patch.mutateAsync({ params: { source_identifier: identifier }, body }),
          t('The schedule was saved'),
        );
      }}
    >
      <Block title={t('Schedule and deletion')}>
        <Stack gap="md" align="flex-start">
          <Switch
            label={t('Read automatically')}
            checked={minutes !== null}
            onChange={(event) => setMinutes(event.currentTarget.checked ? minutesDefault : null)}
          />
          {minutes !== null && (
            <NumberInput
              label={t('Minutes between two syncs')}
              description={t('From 5 minutes to a week')}
              min={5}
              max={10_080}
              allowDecimal={false}
              required
              withAsterisk={false}
              value={minutes}
              onChange={setMinutes}
            />
          )}
          <NativeSelect
            label={t('What is no longer in the source')}
            data={deletions}
            value={gone}
            onChange={(event) => setGone(event.currentTarget.value as typeof gone)}
          />
          <Group>
            <Button type="submit" variant="default" loading={patch.isPending}>
              {t('Save the schedule')}
            </Button>
          </Group>
        </Stack>
      </Block>
    </form>
  );
}
