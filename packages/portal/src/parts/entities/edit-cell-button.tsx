import { Pencil } from 'lucide-react';
import type { ComponentPropsWithRef } from 'react';
import { editsCell } from '../../kit/grid-cells.ts';
import { CellButton } from './cell-button.tsx';
import classes from './entities.module.css';
import type { Field, FieldEntity } from './fields.ts';

interface EditCellButtonProps extends ComponentPropsWithRef<'button'> {
  readonly field: Field;
  readonly entity: FieldEntity;
}

export function EditCellButton({ field, entity, ...button }: EditCellButtonProps) {
  return (
    <CellButton
      {...button}
      {...editsCell}
      className={classes.pencil}
      aria-label={`Edit ${field.title} of ${entity.title || entity.identifier}`}
    >
      <Pencil size={13} aria-hidden="true" />
    </CellButton>
  );
}
