import { Button, Menu } from '@mantine/core';
import { ArrowUpToLine, Plus } from 'lucide-react';
import { type DragEvent, useState } from 'react';
import { type Widget, widgetList, widgetText } from '../../parts/widgets/widget-shape.ts';
import { type Change, useArrange } from './arrange.tsx';
import {
  addWidget,
  boardRows,
  type Direction,
  joinAbove,
  moveBorder,
  placeBeside,
  type Row,
  removeWidget,
  replaceWidget,
  rowWidth,
  type Side,
  stepWidget,
} from './board-draft.ts';
import { Border } from './border.tsx';
import { copyWidget } from './page-draft.ts';
import classes from './pages.module.css';
import { Slot } from './slot.tsx';
import { holdsWidgets, nameOfWidget } from './widget-kinds.ts';

/** A board of twelve columns. Widgets and the borders between them move by dragging or by keys. */
export function BoardEditor({ board, onChange }: { board: Widget; onChange: Change }) {
  const { ask, arrangeInside } = useArrange();
  const [dragged, setDragged] = useState<string>();
  const [target, setTarget] = useState<{ id: string; side: Side }>();
  const byId = new Map(widgetList(board, 'widgets').map((each) => [widgetText(each, 'id') ?? '', each]));
  const rows = boardRows(board);
  const drop = () => {
    if (dragged && target) {
      onChange(placeBeside(board, dragged, target.id, target.side), `Move ${nameOfWidget(byId.get(dragged) ?? {})}`);
    }
    setDragged(undefined);
    setTarget(undefined);
  };
  return (
    <div className={classes.board}>
      {rows.map((row, rowIndex) => (
        <div key={row.cells.map(({ id }) => id).join(' ')} className={classes.row}>
          {row.cells.map(({ id, size }, index) => {
            const widget = byId.get(id);
            if (!widget) return null;
            const name = nameOfWidget(widget);
            return (
              // biome-ignore lint/a11y/noStaticElementInteractions: dropping is for pointers; the handle takes keys
              <div
                key={id}
                className={classes.cell}
                data-size={size}
                data-drop={dragged && target?.id === id ? target.side : undefined}
                onDragOver={(event) => {
                  if (!dragged || dragged === id) return;
                  event.preventDefault();
                  const side = dropSide(event);
                  if (target?.id !== id || target.side !== side) setTarget({ id, side });
                }}
                onDrop={(event) => {
                  event.preventDefault();
                  drop();
                }}
              >
                <Slot
                  widget={widget}
                  ways={listDirections(rows, rowIndex, index)}
                  onStep={(direction) => onChange(stepWidget(board, id, direction), `Move ${name} ${direction}`)}
                  onReplace={(next) => onChange(replaceWidget(board, id, next), `Change ${nameOfWidget(next)}`)}
                  onDuplicate={() => onChange(addWidget(board, copyWidget(widget)), `Duplicate ${name}`)}
                  onRemove={() => onChange(removeWidget(board, id), `Remove ${name}`)}
                  onDragStart={() => setDragged(id)}
                  onDragEnd={() => {
                    setDragged(undefined);
                    setTarget(undefined);
                  }}
                  more={
                    rowIndex > 0 &&
                    (rows[rowIndex - 1]?.cells.length ?? 0) < rowWidth && (
                      <Menu.Item
                        leftSection={<ArrowUpToLine size={14} />}
                        onClick={() => onChange(joinAbove(board, id), `Join ${name} with the row above`)}
                      >
                        Join the row above
                      </Menu.Item>
                    )
                  }
                >
                  {holdsWidgets(widget) &&
                    arrangeInside(widget, (next, label) => onChange(replaceWidget(board, id, next), label))}
                </Slot>
                {row.cells[index + 1] && (
                  <Border
                    name={name}
                    size={size}
                    most={size + (row.cells[index + 1]?.size ?? 1) - 1}
                    onMove={(columns) => onChange(moveBorder(board, id, columns), `Resize ${name}`)}
                  />
                )}
              </div>
            );
          })}
        </div>
      ))}
      <Button
        variant="default"
        leftSection={<Plus size={16} />}
        onClick={() => ask(undefined, (widget) => onChange(addWidget(board, widget), `Add ${nameOfWidget(widget)}`))}
      >
        Add a widget
      </Button>
    </div>
  );
}

/** The edge of the drop target nearest to the pointer. */
function dropSide(event: DragEvent<HTMLElement>): Side {
  const { left, top, width, height } = event.currentTarget.getBoundingClientRect();
  const x = (event.clientX - left) / width;
  const y = (event.clientY - top) / height;
  if (y < 0.2) return 'above';
  if (y > 0.8) return 'below';
  return x < 0.5 ? 'before' : 'after';
}

function listDirections(rows: readonly Row[], rowIndex: number, index: number): readonly Direction[] {
  const cells = rows[rowIndex]?.cells.length ?? 0;
  return [
    ...(index > 0 ? (['left'] as const) : []),
    ...(index < cells - 1 ? (['right'] as const) : []),
    ...(rowIndex > 0 || cells > 1 ? (['up'] as const) : []),
    ...(rowIndex < rows.length - 1 || cells > 1 ? (['down'] as const) : []),
  ];
}
