import { type ComponentPropsWithRef, type RefObject, useLayoutEffect, useRef, useState } from 'react';
import classes from './entities.module.css';

/** A small button in a cell: one element, since a table has hundreds. */
export function CellButton({ className = '', ...button }: ComponentPropsWithRef<'button'>) {
  return <button type="button" {...button} className={`${classes.cellButton} ${className}`} />;
}

/**
 * For what a plain button turns into when it is first pressed: opens at once, and takes over the focus, to which it goes
 * back when it closes. The ref is for the button that takes the place of the plain one.
 */
export function useFirstOpening(): {
  readonly isOpen: boolean;
  readonly setOpen: (isOpen: boolean) => void;
  readonly button: RefObject<HTMLButtonElement | null>;
} {
  const [isOpen, setOpen] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  useLayoutEffect(() => {
    button.current?.focus();
    setOpen(true);
  }, []);
  return { isOpen, setOpen, button };
}
