import { type ComponentPropsWithRef, type RefObject, useLayoutEffect, useRef, useState } from 'react';
import classes from './entities.module.css';

/** A small button in a cell: a single element, since a table has hundreds. */
export function CellButton({ className = '', ...button }: ComponentPropsWithRef<'button'>) {
  return <button type="button" {...button} className={`${classes.cellButton} ${className}`} />;
}

/**
 * For an editor or menu that replaces a plain button on its first press: opens at once and takes the focus, which
 * returns to its own button (`ref`) when it closes.
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
