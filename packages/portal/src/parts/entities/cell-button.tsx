import type { ComponentPropsWithRef } from 'react';
import classes from './entities.module.css';

/** A small button in a cell: one element, since a table has hundreds. */
export function CellButton({ className = '', ...button }: ComponentPropsWithRef<'button'>) {
  return <button type="button" {...button} className={`${classes.cellButton} ${className}`} />;
}
