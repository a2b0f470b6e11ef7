import { Modal, type ModalProps } from '@mantine/core';
import type { KeyboardEvent } from 'react';
import { t } from './translate.ts';
import { useFocusBack } from './use-focus-back.ts';

/** A dialog that returns the focus however it closes. Ctrl or ⌘ with Enter sends its form, from any field. */
export function Dialog(props: ModalProps) {
  useFocusBack(props.opened);
  return <Modal closeButtonProps={{ 'aria-label': t('Close') }} returnFocus={false} onKeyDown={sendForm} {...props} />;
}

function sendForm(event: KeyboardEvent<HTMLElement>): void {
  if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey) || event.defaultPrevented) return;
  const form = (event.target as HTMLElement).closest('form');
  form?.querySelector<HTMLButtonElement>('[type="submit"]:not(:disabled)')?.click();
}
