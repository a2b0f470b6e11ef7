import { ActionIcon } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { Copy, Ellipsis, GripVertical, Pencil, Trash2 } from 'lucide-react';
import { type KeyboardEvent, type ReactNode, useEffect, useRef } from 'react';
import { Menu } from '../../kit/menu.tsx';
import { t } from '../../kit/translate.ts';
import { type Widget, widgetText } from '../widgets/widget-shape.ts';
import { WidgetView } from '../widgets/widget-view.tsx';
import { useArrange } from './arrange.tsx';
import type { Direction } from './board-draft.ts';
import classes from './page-editor.module.css';
import { nameOfWidget } from './widget-kinds.ts';

const arrows: Readonly<Record<string, Direction>> = {
  ArrowLeft: 'left',
  ArrowRight: 'right',
  ArrowUp: 'up',
  ArrowDown: 'down',
};
/** What Shift and an arrow change: columns, or steps of height. */
const growth = { left: [-1, 0], right: [1, 0], up: [0, -1], down: [0, 1] } as const;
const directionNames = {
  left: t('Move left'),
  right: t('Move right'),
  up: t('Move up'),
  down: t('Move down'),
} as const;

interface SlotProps {
  readonly widget: Widget;
  /** The directions in which the widget can move. */
  readonly ways: readonly Direction[];
  readonly onStep: (direction: Direction) => void;
  /** Whether it was picked up by keys. */
  readonly isPicked?: boolean;
  /** By columns of its row, or by steps of the row's height. */
  readonly onResize?: (columns: number, steps: number) => void;
  readonly onPick?: () => void;
  readonly onPutBack?: () => void;
  readonly onDuplicate: () => void;
  readonly onRemove: () => void;
  /** Additional menu entries. */
  readonly more?: ReactNode;
  readonly onDragStart?: (() => void) | undefined;
  readonly onDragEnd?: (() => void) | undefined;
  /** The editor for nested widgets; absent if the widget has none. */
  readonly children?: ReactNode;
}

/** A widget in the editor, with its tools. It renders as usual but is inert, so that its links do nothing. */
export function Slot({ widget, ways, onStep, onDuplicate, onRemove, more, children, ...rest }: SlotProps) {
  const { edit, edited, context, moved } = useArrange();
  const handle = useRef<HTMLButtonElement>(null);
  const name = nameOfWidget(widget);
  const id = widgetText(widget, 'id');
  const isEdited = id !== undefined && edited === id;
  // what is typed into its form is not asked of the server with every key
  const [rested] = useDebouncedValue(widget, 300);
  const slot = useRef<HTMLElement>(null);
  useEffect(() => {
    if (isEdited) slot.current?.scrollIntoView({ block: 'nearest' });
  }, [isEdited]);
  useEffect(() => {
    if (id === undefined || moved.current !== id) return;
    moved.current = undefined;
    handle.current?.focus();
  });
  const step = (direction: Direction) => {
    moved.current = id;
    onStep(direction);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    if (event.key === 'Escape' && rest.isPicked) {
      event.preventDefault();
      moved.current = id;
      rest.onPutBack?.();
      return;
    }
    const direction = arrows[event.key];
    if (!direction) return;
    if (event.shiftKey && rest.onResize) {
      event.preventDefault();
      moved.current = id;
      const [columns, steps] = growth[direction];
      rest.onResize(columns, steps);
    } else if (ways.includes(direction)) {
      event.preventDefault();
      step(direction);
    }
  };
  return (
    <section
      ref={slot}
      className={classes.slot}
      aria-label={name}
      data-picked={rest.isPicked || isEdited || undefined}
      data-holds={children ? true : undefined}
    >
      <div className={classes.slotTools}>
        <button
          ref={handle}
          type="button"
          className={classes.handle}
          aria-label={t('Move {name}', { name })}
          title={t('Drag, or press Enter and use the arrow keys')}
          draggable={rest.onDragStart !== undefined}
          {...(rest.onPick ? { 'aria-pressed': rest.isPicked ?? false, onClick: rest.onPick } : {})}
          onDragStart={(event) => {
            event.dataTransfer.setData('text/plain', name);
            event.dataTransfer.effectAllowed = 'move';
            rest.onDragStart?.();
          }}
          onDragEnd={rest.onDragEnd}
          onKeyDown={onKeyDown}
        >
          <GripVertical size={16} aria-hidden="true" />
        </button>
        {children && <span className={classes.slotName}>{name}</span>}
        <ActionIcon
          size={28}
          aria-label={t('Edit {name}', { name })}
          aria-expanded={isEdited}
          onClick={() => edit(widget)}
        >
          <Pencil size={16} />
        </ActionIcon>
        <Menu position="bottom-end" withinPortal>
          <Menu.Target>
            <ActionIcon size={28} aria-label={t('More for {name}', { name })}>
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
              {t('Duplicate')}
            </Menu.Item>
            <Menu.Item color="red" leftSection={<Trash2 size={14} />} onClick={onRemove}>
              {t('Remove')}
            </Menu.Item>
          </Menu.Dropdown>
        </Menu>
      </div>
      {children || (
        <div inert className={classes.preview}>
          <WidgetView widget={shown(isEdited ? rested : widget)} context={context} />
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
