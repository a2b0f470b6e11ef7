import type { ComponentPropsWithRef } from 'react';
import { editsCell } from '../../kit/grid-cells.ts';
import { t } from '../../kit/translate.ts';
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
      aria-label={t('Edit {title} of {title2}', { title: field.title, title2: entity.title || entity.identifier })}
    />
  );
}
