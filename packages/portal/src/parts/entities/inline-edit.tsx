import type { ReactNode } from 'react';
import { useLoaded } from '../../kit/use-loaded.ts';
import { EditCellButton } from './edit-cell-button.tsx';
import classes from './entities.module.css';
import type { Field, FieldEntity } from './fields.ts';

// loaded with the first edit
const loadEditor = async () => (await import('./cell-editor.tsx')).CellEditor;

/** Whether a cell is simple enough to edit in place. */
export function isEditedInPlace({ source, shape, key }: Field): boolean {
  if (source === 'relation' || key === '$team' || key === '$title') return true;
  if (source !== 'property' || shape.type === 'object') return false;
  return !['markdown', 'yaml', 'proto'].includes(shape.format ?? '') && shape.items?.type !== 'object';
}

interface EditableCellProps {
  readonly field: Field;
  readonly entity: FieldEntity;
  readonly blueprint: string;
  readonly children: ReactNode;
}

/** A value that is editable in place, with Undo. The editor renders once its button is used: a table has hundreds. */
export function EditableCell({ field, entity, blueprint, children }: EditableCellProps) {
  const [CellEditor, load] = useLoaded(loadEditor);
  return (
    <span className={classes.cellEdit}>
      <span>{children}</span>
      {CellEditor ? (
        <CellEditor field={field} entity={entity} blueprint={blueprint} />
      ) : (
        <EditCellButton field={field} entity={entity} aria-haspopup="dialog" onClick={() => void load()} />
      )}
    </span>
  );
}
