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
  const at = event.target as HTMLElement;
  // whoever presses it on a button, such as the first one of a question, means that one
  if (at.closest('button, a')) return;
  const button = at.closest('form')?.querySelector<HTMLButtonElement>('[type="submit"]:not(:disabled)');
  if (!button) return;
  // neither a dialog around this one nor the browser itself sends it a second time, and nor does a key held down
  event.preventDefault();
  if (!event.repeat) button.click();
}
