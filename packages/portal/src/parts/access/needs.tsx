import { Text } from '@mantine/core';
import { cloneElement, type MouseEvent, type ReactElement, type ReactNode, useId } from 'react';
import type { OperationName } from '../../api/api.ts';
import { Tooltip } from '../../kit/tooltip.tsx';
import { t } from '../../kit/translate.ts';
import classes from './access.module.css';
import { useAskForAccess } from './ask-for-access.tsx';
import { type Permit, useMay } from './permit.ts';

interface Control {
  readonly onClick?: (event: MouseEvent<HTMLElement>) => void;
  readonly onChange?: () => void;
  readonly children?: ReactNode;
}

interface NeedsProps {
  /** What the server says; undefined while it has not said anything. */
  readonly permit: Permit | undefined;
  /** What the control does, after "to": "create blueprints". */
  readonly to: string;
  readonly children: ReactElement;
}

/** What a control is given instead of what it does, and what it says then. */
function useRefusal({ permit, to }: Omit<NeedsProps, 'children'>) {
  const ask = useAskForAccess();
  const id = useId();
  const props = {
    'aria-disabled': true,
    'data-disabled': true,
    ...(permit ? { 'aria-describedby': id } : {}),
    onClick: (event: MouseEvent<HTMLElement>) => {
      event.preventDefault();
      event.stopPropagation();
      if (permit) ask({ to, needs: permit.needs });
    },
  };
  return { props, id, says: permit && t('Needs {needs}. Press to ask for access.', { needs: permit.needs }) };
}

function Refused({ id, says, children }: RefusedProps) {
  return (
    <>
      <Tooltip label={says} multiline maw={320}>
        {children}
      </Tooltip>
      <span id={id} hidden>
        {says}
      </span>
    </>
  );
}

interface RefusedProps {
  readonly id: string;
  readonly says: string;
  readonly children: ReactElement;
}

/**
 * A button or link that the user may not use stays where it is, can be reached, and says what it needs. Pressed, it
 * offers to ask for the right.
 */
export function Needs({ permit, to, children }: NeedsProps) {
  const { props, id, says } = useRefusal({ permit, to });
  if (permit?.isAllowed) return children;
  const control = cloneElement(children as ReactElement<Control>, props);
  return says ? (
    <Refused id={id} says={says}>
      {control}
    </Refused>
  ) : (
    control
  );
}

/** The same for a switch, which keeps its state; the input of it is too small to point at. */
export function NeedsSwitch({ permit, to, children }: NeedsProps) {
  const { props, id, says } = useRefusal({ permit, to });
  if (permit?.isAllowed) return children;
  const control = cloneElement(children as ReactElement<Control>, { ...props, onChange: () => undefined });
  return says ? (
    <Refused id={id} says={says}>
      <div>{control}</div>
    </Refused>
  ) : (
    control
  );
}

/** The same for a control that sends an operation which is open to some kinds of people alone. */
export function NeedsOperation({
  operation,
  ...needs
}: Omit<NeedsProps, 'permit'> & { readonly operation: OperationName }) {
  return <Needs permit={useMay(operation)} {...needs} />;
}

/** The same for an entry of a menu, which says it below its words. */
export function NeedsItem({ permit, to, children }: NeedsProps) {
  const ask = useAskForAccess();
  if (permit?.isAllowed) return children;
  const item = children as ReactElement<Control>;
  return cloneElement(
    item,
    {
      'aria-disabled': true,
      className: classes.item,
      onClick: (event: MouseEvent<HTMLElement>) => {
        event.preventDefault();
        if (permit) ask({ to, needs: permit.needs });
      },
    } as Control,
    item.props.children,
    permit && (
      <Text key="needs" component="span" display="block" size="xs" className={classes.needs ?? ''}>
        {t('Needs {needs}', { needs: permit.needs })}
      </Text>
    ),
  );
}
