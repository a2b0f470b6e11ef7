import { Modal, type ModalProps } from '@mantine/core';
import { t } from './translate.ts';
import { useFocusBack } from './use-focus-back.ts';

/** A dialog that returns the focus however it closes. */
export function Dialog(props: ModalProps) {
  useFocusBack(props.opened);
  return <Modal closeButtonProps={{ 'aria-label': t('Close') }} returnFocus={false} {...props} />;
}
