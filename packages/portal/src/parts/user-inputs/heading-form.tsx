import { Button, Group, Stack, Textarea, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { Dialog } from '../../kit/dialog.tsx';
import { withKey } from '../../kit/json-value.ts';
import { t } from '../../kit/translate.ts';
import type { Heading } from './form-layout.ts';
import { inputKeyFor, inputKeyProblem } from './input-kinds.ts';
import { Visibility } from './visibility.tsx';

/** The dialog for a heading. */
export function HeadingForm({
  initialKey,
  initial,
  taken,
  onClose,
  onDone,
}: {
  initialKey: string | undefined;
  initial: Heading | undefined;
  taken: ReadonlySet<string>;
  onClose: () => void;
  onDone: (key: string, heading: Heading) => void;
}) {
  const [heading, setHeading] = useState<Heading>(initial ?? { title: '' });
  const [typedKey, setTypedKey] = useState(initialKey);
  const [isTried, setTried] = useState(false);
  const key = typedKey ?? inputKeyFor(heading.title, taken);
  const problem = inputKeyProblem(key, initialKey, taken);
  const set = (name: keyof Heading & string, value: unknown) =>
    setHeading((before) => withKey({ ...before }, name, value) as unknown as Heading);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    event.stopPropagation();
    setTried(true);
    if (problem === undefined && heading.title.trim() !== '') onDone(key, heading);
  };
  return (
    <Dialog
      opened
      onClose={onClose}
      title={initialKey === undefined ? t('Add heading') : t('Edit {title}', { title: initial?.title ?? initialKey })}
      closeOnClickOutside={false}
    >
      <form onSubmit={submit} noValidate>
        <Stack>
          <TextInput
            label={t('Title')}
            data-autofocus
            maxLength={140}
            value={heading.title}
            error={isTried && heading.title.trim() === '' ? t('A heading needs a title') : undefined}
            onChange={({ currentTarget }) => setHeading({ ...heading, title: currentTarget.value })}
          />
          <TextInput
            label={t('Key')}
            value={key}
            error={isTried ? problem : undefined}
            onChange={({ currentTarget }) => setTypedKey(currentTarget.value)}
          />
          <Textarea
            label={t('Description')}
            autosize
            maxLength={1000}
            value={heading.description ?? ''}
            onChange={({ currentTarget }) => set('description', currentTarget.value || undefined)}
          />
          <Visibility label={t('Visible')} value={heading.visible} onChange={(visible) => set('visible', visible)} />
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              {t('Cancel')}
            </Button>
            <Button type="submit">{initialKey === undefined ? t('Add') : t('Apply')}</Button>
          </Group>
        </Stack>
      </form>
    </Dialog>
  );
}
