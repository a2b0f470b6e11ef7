import type { ColumnSize } from '../../kit/column-widths.ts';
import { type Field, shownShape } from './fields.ts';

const size = (min: number, ideal: number, max: number): ColumnSize => ({ min, ideal, max });

const byFormat: Readonly<Record<string, ColumnSize>> = {
  'date-time': size(124, 132, 150),
  timer: size(120, 140, 170),
  url: size(140, 180, 260),
  'labeled-url': size(120, 160, 240),
  email: size(140, 180, 260),
  markdown: size(140, 220, 360),
  user: size(140, 160, 220),
  team: size(140, 170, 240),
};

/** How wide the column of a field may get, by what it holds. */
export function fieldSize(field: Field): ColumnSize {
  const shape = shownShape(field);
  if (field.key === '$title') return size(220, 290, 520);
  if (field.key === '$team') return size(140, 180, 260);
  if (field.source === 'relation') return size(140, 180, 280);
  if (isFigure(field)) return size(84, 104, 140);
  if (shape.type === 'boolean') return size(80, 96, 120);
  if (shape.type === 'array') return size(140, 190, 300);
  if (shape.enum || field.source === 'scorecard') return size(100, 130, 170);
  return byFormat[shape.format ?? ''] ?? size(110, 160, 280);
}

/** Whether the values are numbers to compare. */
export function isFigure(field: Field): boolean {
  const shape = shownShape(field);
  return shape.type === 'number' && !shape.enum;
}
