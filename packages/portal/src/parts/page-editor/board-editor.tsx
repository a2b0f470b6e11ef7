import { Button } from '@mantine/core';
import { ArrowUpToLine, Plus } from 'lucide-react';
import { type DragEvent, useState } from 'react';
import { Menu } from '../../kit/menu.tsx';
import { t } from '../../kit/translate.ts';
import { cellStyle, doubledSizes, rowHeights, rowStyle, rowWidth, usualSize } from '../widgets/board-layout.ts';
import { type Widget, widgetList, widgetText } from '../widgets/widget-shape.ts';
import widgetClasses from '../widgets/widgets.module.css';
import { type Change, useArrange } from './arrange.tsx';
import {
  addWidget,
  boardRows,
  type Direction,
  drawnHeight,
  joinAbove,
  moveEdge,
  placeBeside,
  placeInWords,
  type Row,
  removeWidget,
  replaceWidget,
  resizeRow,
  resizeWidget,
  type Side,
  stepWidget,
  widthMax,
} from './board-draft.ts';
import { Border, RowEdge } from './border.tsx';
import { copyWidget } from './page-draft.ts';
import classes from './page-editor.module.css';
import { Slot } from './slot.tsx';
import { usePicked } from './use-picked.ts';
import { holdsWidgets, nameOfWidget } from './widget-kinds.ts';

/** A board of twelve columns. Widgets, their edges and those of rows move by dragging or by keys. */
export function BoardEditor({
  board,
  isInner = false,
  onChange,
}: {
  board: Widget;
  isInner?: boolean;
  onChange: Change;
}) {
  const { add, arrangeInside } = useArrange();
  const [dragged, setDragged] = useState<string>();
  const [target, setTarget] = useState<{ id: string; side: Side }>();
  const byId = new Map(widgetList(board, 'widgets').map((each) => [widgetText(each, 'id') ?? '', each]));
  const rows = boardRows(board);
  const { picked, told, toggle, putBack, tell } = usePicked(board, onChange);
  /** Applies a step taken by keys and says where the widget is then. */
  const step = (id: string, next: Widget, label: string) => {
    if (next !== board) onChange(next, label);
    tell(`${nameOfWidget(byId.get(id) ?? {})}: ${next === board ? t('no room that way') : placeInWords(next, id)}`);
  };
  const drop = () => {
    if (dragged && target) {
      onChange(
        placeBeside(board, dragged, target.id, target.side),
        t('Move {name}', { name: nameOfWidget(byId.get(dragged) ?? {}) }),
      );
    }
    setDragged(undefined);
    setTarget(undefined);
  };
  return (
    <div className={classes.board}>
      {rows.map((row, rowIndex) => {
        const doubled = doubledSizes(row.cells.map(({ size }) => size));
        return (
          <div
            key={row.cells.map(({ id }) => id).join(' ')}
            className={`${widgetClasses.row} ${classes.row}`}
            data-height={drawnHeight(board, row) === 'auto' ? 'auto' : 'fixed'}
            data-holds={row.cells.some(({ id }) => holdsWidgets(byId.get(id) ?? {})) || undefined}
            style={rowStyle(drawnHeight(board, row))}
          >
            {row.cells.map(({ id, size }, index) => {
              const widget = byId.get(id);
              if (!widget) return null;
              const name = nameOfWidget(widget);
              return (
                // biome-ignore lint/a11y/noStaticElementInteractions: dropping is for pointers; the handle takes keys
                <div
                  key={id}
                  className={`${widgetClasses.cell} ${classes.cell}`}
                  style={cellStyle({ size, doubled: doubled[index] ?? rowWidth })}
                  data-content={usualSize(widget).height === 'auto' ? 'text' : undefined}
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
                    isPicked={picked === id}
                    onStep={(direction) => step(id, stepWidget(board, id, direction), t('Move {name}', { name }))}
                    onResize={(columns, steps) =>
                      step(
                        id,
                        columns === 0
                          ? resizeRow(board, id, steps * rowHeights.step)
                          : resizeWidget(board, id, columns),
                        t('Resize {name}', { name }),
                      )
                    }
                    onPick={() => toggle(id, name, placeInWords(board, id))}
                    onPutBack={() => putBack(name)}
                    onDuplicate={() => onChange(addWidget(board, copyWidget(widget)), t('Duplicate {name}', { name }))}
                    onRemove={() => onChange(removeWidget(board, id), t('Remove {name}', { name }))}
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
                          onClick={() => onChange(joinAbove(board, id), t('Join {name} with the row above', { name }))}
                        >
                          {t('Join the row above')}
                        </Menu.Item>
                      )
                    }
                  >
                    {holdsWidgets(widget) &&
                      arrangeInside(widget, (next, label) => onChange(replaceWidget(board, id, next), label))}
                  </Slot>
                  <Border
                    name={name}
                    size={size}
                    most={widthMax(row, index)}
                    onMove={(columns) => onChange(moveEdge(board, id, columns), t('Resize {name}', { name }))}
                  />
                </div>
              );
            })}
            {row.cells[0] && (
              <RowEdge
                name={nameOfWidget(byId.get(row.cells[0].id) ?? {})}
                height={drawnHeight(board, row)}
                onMove={(pixels) => {
                  const id = row.cells[0]?.id ?? '';
                  onChange(
                    resizeRow(board, id, pixels),
                    t('Resize the row of {name}', { name: nameOfWidget(byId.get(id) ?? {}) }),
                  );
                }}
              />
            )}
          </div>
        );
      })}
      <span role="status" className="visually-hidden">
        {told}
      </span>
      {isInner && (
        <Button
          size="compact-sm"
          variant="default"
          leftSection={<Plus size={14} />}
          onClick={() => add({ board: widgetText(board, 'id') ?? '' })}
        >
          {t('Add to this board')}
        </Button>
      )}
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

function hasRoom(row: Row | undefined): boolean {
  return row !== undefined && row.cells.length < rowWidth;
}

/** At the ends of a row, left and right lead on to the row before and after. */
function listDirections(rows: readonly Row[], rowIndex: number, index: number): readonly Direction[] {
  const cells = rows[rowIndex]?.cells.length ?? 0;
  return [
    ...(index > 0 || hasRoom(rows[rowIndex - 1]) ? (['left'] as const) : []),
    ...(index < cells - 1 || hasRoom(rows[rowIndex + 1]) ? (['right'] as const) : []),
    ...(rowIndex > 0 || cells > 1 ? (['up'] as const) : []),
    ...(rowIndex < rows.length - 1 || cells > 1 ? (['down'] as const) : []),
  ];
}
