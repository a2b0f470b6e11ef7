import type { TooltipProps } from '@mantine/core';
import { useMergedRef } from '@mantine/hooks';
import {
  type FocusEvent,
  type PointerEvent,
  type ReactElement,
  type Ref,
  useEffect,
  useId,
  useRef,
  useState,
} from 'react';
import { fetchEarly, loadFloating, withHandlers } from './floating.ts';
import { useLoaded } from './use-loaded.ts';

interface TipProps extends Pick<TooltipProps, 'label' | 'multiline' | 'maw'> {
  readonly children: ReactElement;
}

interface Given {
  readonly 'aria-describedby'?: string;
  readonly ref?: Ref<HTMLElement>;
}

const afterMs = 300;

/** The kit's tip. Until its control is first pointed at or focused it is the control alone, which never changes places. */
export function Tooltip({ label, children, ...tip }: TipProps) {
  const [kit, load] = useLoaded(loadFloating);
  const [isOpen, setOpen] = useState(false);
  const place = useRef<HTMLElement>(null);
  const { 'aria-describedby': described, ref } = children.props as Given;
  const control = useMergedRef(place, ref ?? null);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const id = useId();
  useEffect(() => () => clearTimeout(timer.current), []);
  useEffect(() => {
    if (!isOpen) return;
    const onKey = ({ key }: KeyboardEvent) => key === 'Escape' && setOpen(false);
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, [isOpen]);
  const show = () => {
    setOpen(true);
    if (!kit) void load();
  };
  const hide = () => {
    clearTimeout(timer.current);
    setOpen(false);
  };
  return (
    <>
      {withHandlers(
        children,
        {
          onPointerEnter: ({ pointerType }: PointerEvent) => {
            if (pointerType === 'touch') return;
            fetchEarly();
            clearTimeout(timer.current);
            timer.current = setTimeout(show, afterMs);
          },
          onPointerLeave: hide,
          onFocus: ({ target }: FocusEvent<HTMLElement>) => {
            if (target.matches(':focus-visible')) show();
          },
          onBlur: hide,
        },
        { ref: control, 'aria-describedby': described ?? (isOpen ? id : undefined) },
      )}
      {isOpen && !described && (
        <span id={id} hidden>
          {label}
        </span>
      )}
      {kit && <kit.Tooltip label={label} target={place} opened={isOpen} {...tip} />}
    </>
  );
}
