import type { HoverCardProps } from '@mantine/core';
import { type FocusEvent, type PointerEvent, type ReactElement, type ReactNode, useRef } from 'react';
import { type Floating, useFloating, useTakenOver, withHandlers } from './floating.ts';

interface CardProps extends Pick<HoverCardProps, 'position'> {
  readonly target: ReactElement;
  readonly className?: string | undefined;
  readonly children: ReactNode;
}

/** What a control shows while it is pointed at or focused. Until then it is the control alone. */
export function HoverCard(props: CardProps) {
  const { kit, load, button, hadFocus } = useFloating(props.target);
  const isOn = useRef(false);
  if (kit) return <UsedCard {...props} kit={kit} takesFocus={hadFocus} isOn={isOn.current} />;
  const turn = (isNowOn: boolean) => {
    isOn.current = isNowOn;
    if (isNowOn) load();
  };
  return withHandlers(
    props.target,
    {
      onPointerEnter: ({ pointerType }: PointerEvent) => turn(pointerType !== 'touch'),
      onPointerLeave: () => turn(false),
      onFocus: ({ target }: FocusEvent<HTMLElement>) => turn(target.matches(':focus-visible')),
      onBlur: () => turn(false),
    },
    { ref: button, 'aria-haspopup': 'dialog', 'aria-expanded': false },
  );
}

interface UsedCardProps extends CardProps {
  readonly kit: Floating;
  readonly takesFocus: boolean;
  readonly isOn: boolean;
}

function UsedCard({ kit, takesFocus, isOn, target, className, children, ...card }: UsedCardProps) {
  const { button } = useTakenOver(target, takesFocus);
  return (
    <kit.HoverCard withinPortal initiallyOpened={isOn} {...card}>
      <kit.HoverCard.Target>{button}</kit.HoverCard.Target>
      <kit.HoverCard.Dropdown className={className ?? ''}>{children}</kit.HoverCard.Dropdown>
    </kit.HoverCard>
  );
}
