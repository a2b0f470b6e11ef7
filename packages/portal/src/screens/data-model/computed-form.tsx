import { Button, Group, Stack, TextInput } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { Dialog } from '../../kit/dialog.tsx';
import { keyFor } from '../../kit/json-value.ts';
import { t } from '../../kit/translate.ts';
import type { Blueprint, Draft } from './blueprint-draft.ts';

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
  const [typedKey, setTypedKey] = useState<string>();
  const key = initialKey ?? typedKey ?? keyFor(title);
  const isTaken = initialKey === undefined && taken.has(key);
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
          onDone(key, title.trim() === '' ? {} : { title: title.trim() });
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
          <TextInput
            label={t('Key')}
            maxLength={100}
            value={key}
            readOnly={initialKey !== undefined}
            error={isTaken ? t('Something of this blueprint has this key already') : undefined}
            onChange={({ currentTarget }) => setTypedKey(currentTarget.value)}
          />
          {children}
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              {t('Cancel')}
            </Button>
            <Button type="submit" disabled={!isReady || key === '' || isTaken}>
              {initialKey === undefined ? t('Add') : t('Apply')}
            </Button>
          </Group>
        </Stack>
      </form>
    </Dialog>
  );
}
