import { ActionIcon, type ActionIconProps } from '@mantine/core';
import { Ellipsis } from 'lucide-react';
import type { ComponentPropsWithRef } from 'react';
import classes from './rail-arranged.module.css';

type RailMoreButtonProps = ActionIconProps & Omit<ComponentPropsWithRef<'button'>, keyof ActionIconProps>;

/** Opens the menu of an entry of the rail; by keys, from the entry (Shift+Enter). */
export function RailMoreButton(button: RailMoreButtonProps) {
  return (
    <ActionIcon className={classes.more ?? ''} data-more tabIndex={-1} size={24} {...button}>
      <Ellipsis size={14} />
    </ActionIcon>
  );
}
