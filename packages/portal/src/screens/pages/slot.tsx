import { ActionIcon, Menu } from '@mantine/core';
import { Copy, Ellipsis, GripVertical, Pencil, Trash2 } from 'lucide-react';
import { type ReactNode, useEffect, useRef } from 'react';
import { type Widget, widgetText } from '../../parts/widgets/widget-shape.ts';
import { WidgetView } from '../../parts/widgets/widget-view.tsx';
import { useArrange } from './arrange.tsx';
import type { Direction } from './board-draft.ts';
import classes from './pages.module.css';
import { nameOfWidget } from './widget-kinds.ts';

const arrows: Readonly<Record<string, Direction>> = {
  ArrowLeft: 'left',
  ArrowRight: 'right',
  ArrowUp: 'up',
  ArrowDown: 'down',
};
const directionNames = { left: 'Move left', right: 'Move right', up: 'Move up', down: 'Move down' } as const;

interface SlotProps {
  readonly widget: Widget;
  /** The directions in which the widget can move. */
  readonly ways: readonly Direction[];
  readonly onStep: (direction: Direction) => void;
  readonly onReplace: (widget: Widget) => void;
  readonly onDuplicate: () => void;
  readonly onRemove: () => void;
  /** Additional menu entries. */
  readonly more?: ReactNode;
  readonly onDragStart?: (() => void) | undefined;
  readonly onDragEnd?: (() => void) | undefined;
  /** The editor for nested widgets; absent if the widget has none. */
  readonly children?: ReactNode;
}

/** A widget in the editor, with its menu. It renders as usual but is inert, so that its links do nothing. */
export function Slot({ widget, ways, onStep, onReplace, onDuplicate, onRemove, more, children, ...drag }: SlotProps) {
  const { ask, context, moved } = useArrange();
  const handle = useRef<HTMLButtonElement>(null);
  const name = nameOfWidget(widget);
  const id = widgetText(widget, 'id');
  useEffect(() => {
    if (id === undefined || moved.current !== id) return;
    moved.current = undefined;
    handle.current?.focus();
  });
  const step = (direction: Direction) => {
    moved.current = id;
    onStep(direction);
  };
  return (
    <section className={classes.slot} aria-label={name}>
      <div className={classes.slotHead}>
        <button
          ref={handle}
          type="button"
          className={classes.handle}
          aria-label={`Move ${name}`}
          title="Drag, or use the arrow keys"
          draggable={drag.onDragStart !== undefined}
          onDragStart={(event) => {
            event.dataTransfer.setData('text/plain', name);
            event.dataTransfer.effectAllowed = 'move';
            drag.onDragStart?.();
          }}
          onDragEnd={drag.onDragEnd}
          onKeyDown={(event) => {
            const direction = arrows[event.key];
            if (!direction || !ways.includes(direction) || event.altKey || event.ctrlKey || event.metaKey) return;
            event.preventDefault();
            step(direction);
          }}
        >
          <GripVertical size={16} aria-hidden="true" />
        </button>
        <span className={classes.slotName}>{name}</span>
        <ActionIcon
          variant="subtle"
          color="gray"
          size={28}
          aria-label={`Edit ${name}`}
          onClick={() => ask(widget, onReplace)}
        >
          <Pencil size={16} />
        </ActionIcon>
        <Menu position="bottom-end" withinPortal>
          <Menu.Target>
            <ActionIcon variant="subtle" color="gray" size={28} aria-label={`More for ${name}`}>
              <Ellipsis size={16} />
            </ActionIcon>
          </Menu.Target>
          <Menu.Dropdown>
            {(Object.keys(directionNames) as Direction[])
              .filter((direction) => ways.includes(direction))
              .map((direction) => (
                <Menu.Item key={direction} onClick={() => step(direction)}>
                  {directionNames[direction]}
                </Menu.Item>
              ))}
            {more}
            <Menu.Item leftSection={<Copy size={14} />} onClick={onDuplicate}>
              Duplicate
            </Menu.Item>
            <Menu.Item color="red" leftSection={<Trash2 size={14} />} onClick={onRemove}>
              Remove
            </Menu.Item>
          </Menu.Dropdown>
        </Menu>
      </div>
      {children || (
        <div inert className={classes.preview}>
          <WidgetView widget={shown(widget)} context={context} />
        </div>
      )}
    </section>
  );
}

/** Drops the id of an agent widget, which hides its switch: that switch would save at once. */
function shown(widget: Widget): Widget {
  if (widgetText(widget, 'type') !== 'ai-agent') return widget;
  const { id, ...rest } = widget;
  return rest;
}
