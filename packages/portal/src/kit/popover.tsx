import type { Popover as KitPopover, PopoverProps } from '@mantine/core';
import type { ReactElement, ReactNode } from 'react';
import {
  type Floating,
  fetchEarly,
  floating,
  splitTarget,
  Target,
  useFloating,
  useTakenOver,
  withHandlers,
} from './floating.ts';

/** Whoever shows it says when: its button opens nothing by itself. */
type GivenPopoverProps = PopoverProps & { readonly opened: boolean };

/** The kit's popover. Until it is first opened it is its button alone, and nothing else of it is drawn. */
function LazyPopover({ children, ...popover }: GivenPopoverProps) {
  const { target, others } = splitTarget(children);
  const { kit, button, hadFocus } = useFloating(target, popover.opened);
  if (kit) {
    return (
      <UsedPopover {...popover} kit={kit} takesFocus={hadFocus} target={target}>
        {others}
      </UsedPopover>
    );
  }
  return withHandlers(
    target,
    { onPointerEnter: fetchEarly, onFocus: fetchEarly },
    { ref: button, 'aria-haspopup': 'dialog', 'aria-expanded': false },
  );
}

interface UsedPopoverProps extends GivenPopoverProps {
  readonly kit: Floating;
  readonly takesFocus: boolean;
  readonly target: ReactElement;
}

function UsedPopover({ kit, takesFocus, target, children, opened, ...popover }: UsedPopoverProps) {
  const { button, isReady } = useTakenOver(target, takesFocus);
  return (
    <kit.Popover {...popover} opened={isReady && opened}>
      <kit.Popover.Target>{button}</kit.Popover.Target>
      {children}
    </kit.Popover>
  );
}

function Dropdown(props: object): ReactNode {
  const Part = floating().Popover.Dropdown as (props: object) => ReactElement;
  return <Part {...props} />;
}

export const Popover = Object.assign(LazyPopover, { Dropdown, Target }) as unknown as ((
  props: GivenPopoverProps,
) => ReactElement) &
  Pick<typeof KitPopover, 'Dropdown' | 'Target'>;
