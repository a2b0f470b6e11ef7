import { Button, Group, Stack, TextInput } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { Dialog } from '../../kit/dialog.tsx';
import { t } from '../../kit/translate.ts';
import type { Blueprint, Draft } from './blueprint-draft.ts';
import { KeyField, useKey } from './key-field.tsx';

export interface ComputedFormProps {
  readonly initialKey: string | undefined;
  readonly draft: Draft;
  readonly blueprints: readonly Blueprint[];
  readonly taken: ReadonlySet<string>;
  readonly onClose: () => void;
  readonly onDone: (key: string, value: unknown) => void;
}

/** The common part of the forms for mirror, calculation and aggregation properties: title, key, buttons. */
export function ComputedForm({
  initialKey,
  initialTitle,
  taken,
  what,
  isReady,
  onClose,
  onDone,
  children,
}: Pick<ComputedFormProps, 'initialKey' | 'taken' | 'onClose'> & {
  initialTitle: string | undefined;
  what: string;
  isReady: boolean;
  onDone: (key: string, title: { title?: string }) => void;
  children: ReactNode;
}) {
  const [title, setTitle] = useState(initialTitle ?? '');
  const key = useKey(initialKey, title, taken);
  return (
    <Dialog
      opened
      onClose={onClose}
      size="lg"
      title={
        initialKey === undefined
          ? t('Add {what}', { what })
          : t('Edit {initialTitle}', { initialTitle: initialTitle ?? initialKey })
      }
      closeOnClickOutside={false}
    >
      <form
        onSubmit={(event) => {
          event.preventDefault();
          event.stopPropagation();
          onDone(key.key, title.trim() === '' ? {} : { title: title.trim() });
        }}
      >
        <Stack>
          <TextInput
            label={t('Title')}
            maxLength={100}
            data-autofocus
            value={title}
            onChange={({ currentTarget }) => setTitle(currentTarget.value)}
          />
          <KeyField of={key} />
          {children}
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              {t('Cancel')}
            </Button>
            <Button type="submit" disabled={!isReady || !key.isUsable}>
              {initialKey === undefined ? t('Add') : t('Apply')}
            </Button>
          </Group>
        </Stack>
      </form>
    </Dialog>
  );
}
