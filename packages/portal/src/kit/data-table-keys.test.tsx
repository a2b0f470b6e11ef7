import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { useState } from 'react';
import { beforeEach, expect, test, vi } from 'vitest';
import { draw } from '../../test/draw.tsx';
import type { Column, Sort } from './column.ts';
import { DataTable } from './data-table.tsx';
import { editsCell } from './grid-cells.ts';
import { useLeaveCell } from './grid-moves.ts';

interface Service {
  readonly id: string;
  readonly owner: string;
}

const services = (count: number): Service[] =>
  Array.from({ length: count }, (_, index) => ({ id: `service-${index}`, owner: `team-${index}` }));

function Editor({ id }: Service) {
  const [isOpen, setOpen] = useState(false);
  const leave = useLeaveCell();
  if (!isOpen)
    return (
      <button type="button" {...editsCell} onClick={() => setOpen(true)}>
        Edit {id}
      </button>
    );
  return (
    <input
      aria-label={`Owner of ${id}`}
      // biome-ignore lint/a11y/noAutofocus: an editor that opens on a press takes the focus
      autoFocus
      onKeyDown={(event) => {
        if (event.key !== 'Enter') return;
        setOpen(false);
        leave?.('down');
      }}
    />
  );
}

const pressed: string[] = [];
const columns: readonly Column<Service>[] = [
  { key: 'id', title: 'Service', sortBy: 'identifier', cell: ({ id }) => <a href={`#${id}`}>{id}</a> },
  { key: 'owner', title: 'Owner', cell: (service) => <Editor {...service} /> },
  {
    key: 'actions',
    title: 'Actions',
    cell: ({ id }) => (
      <>
        <button type="button" onClick={() => pressed.push(`start ${id}`)}>
          Start {id}
        </button>
        <button type="button">Stop {id}</button>
      </>
    ),
  },
  { key: 'plain', title: 'Plain', cell: ({ owner }) => owner },
];
const shared = { label: 'Services', columns, keyOf: ({ id }: Service) => id, nameOf: ({ id }: Service) => id };

beforeEach(() => {
  pressed.length = 0;
  // jsdom has no layout: give the scrolling element a size
  vi.spyOn(HTMLElement.prototype, 'clientHeight', 'get').mockReturnValue(440);
  vi.spyOn(HTMLElement.prototype, 'clientWidth', 'get').mockReturnValue(800);
  return () => vi.restoreAllMocks();
});

const grid = () => screen.getByRole('grid', { name: 'Services' });
const stops = () => grid().parentElement?.querySelectorAll('[tabindex="0"], a:not([tabindex]), button:not([tabindex])');
/** Where the focus is: the number of the row as readers count it, and of the column. */
const here = () => {
  const cell = document.activeElement?.closest('[aria-colindex]');
  return [cell?.closest('[role=row]')?.getAttribute('aria-rowindex'), cell?.getAttribute('aria-colindex')].join(':');
};
const press = (key: string, more: object = {}) => {
  fireEvent.keyDown(document.activeElement as Element, { key, ...more });
};
async function enter(rows: readonly Service[], more: object = {}) {
  await draw(<DataTable {...shared} rows={rows} {...more} />);
  await waitFor(() => expect(within(grid()).getAllByRole('row').length).toBeGreaterThan(1));
  act(() => grid().querySelector<HTMLElement>('[tabindex="0"]')?.focus());
}

test('is one stop for Tab, whatever is in its cells, and stays one while the focus moves', async () => {
  await enter(services(30));
  await waitFor(() => expect(stops()).toHaveLength(1));
  expect(here()).toBe('2:1');
  for (const key of ['ArrowDown', 'ArrowRight', 'PageDown', 'End']) press(key);
  await waitFor(() => expect(stops()).toHaveLength(1));
  expect(stops()?.[0]).toBe(document.activeElement);
});

test('arrows, Home, End and pages move between cells and into the headings', async () => {
  await enter(services(200));
  const after = (key: string, more: object = {}) => {
    press(key, more);
    return here();
  };
  expect(after('ArrowDown')).toBe('3:1');
  expect(after('ArrowRight')).toBe('3:2');
  expect(after('End')).toBe('3:4');
  expect(after('ArrowRight')).toBe('3:4');
  expect(after('Home')).toBe('3:1');
  expect(after('PageDown')).toBe('11:1');
  expect(after('End', { ctrlKey: true })).toBe('201:4');
  expect(after('Home', { ctrlKey: true })).toBe('2:1');
  expect(after('ArrowUp')).toBe('1:1');
});

test('the row with the focus stays mounted wherever the others are scrolled to', async () => {
  await enter(services(5_000));
  press('ArrowDown');
  const cell = document.activeElement;
  const scroller = grid().parentElement as HTMLElement;
  scroller.scrollTop = 100_000;
  fireEvent.scroll(scroller);
  await waitFor(() => expect(screen.queryByText('service-2280')).not.toBeNull());
  expect(screen.queryByText('service-40')).toBeNull();
  expect([cell?.isConnected, document.activeElement === cell]).toEqual([true, true]);
});

test('Enter presses the only control of a cell, and enters a cell that has several', async () => {
  const opened: string[] = [];
  await enter(services(3), { onOpen: ({ id }: Service) => opened.push(id) });
  for (const key of ['ArrowRight', 'ArrowRight', 'Enter']) press(key);
  expect(document.activeElement?.textContent).toBe('Start service-0');
  press('Tab');
  expect(document.activeElement?.textContent).toBe('Stop service-0');
  press('ArrowRight');
  expect(document.activeElement?.textContent).toBe('Start service-0');
  press('Escape');
  expect([here(), document.activeElement?.getAttribute('role')]).toEqual(['2:3', 'gridcell']);
  for (const key of ['ArrowRight', 'Enter']) press(key);
  expect([opened, pressed]).toEqual([['service-0'], []]);
});

test('what a key opens does not hear that key', async () => {
  await enter(services(3));
  const heard: string[] = [];
  const listen = ({ key }: KeyboardEvent) => heard.push(key);
  const start = screen.getByRole('button', { name: 'Edit service-0' });
  start.addEventListener('click', () => document.addEventListener('keydown', listen));
  for (const key of ['ArrowRight', 'Enter']) press(key);
  await screen.findByLabelText('Owner of service-0');
  expect(heard).toEqual([]);
  press('Tab');
  expect(heard).toEqual(['Tab']);
  document.removeEventListener('keydown', listen);
});

test('Enter in a heading sorts', async () => {
  const asked: (Sort | undefined)[] = [];
  await enter(services(3), { onSort: (sort: Sort | undefined) => asked.push(sort) });
  for (const key of ['ArrowUp', 'Enter']) press(key);
  expect(asked).toEqual([{ property: 'identifier', order: 'asc' }]);
});

test('Enter and F2 open the editor of a cell; its keys stay its own, and it leaves to the cell below', async () => {
  await enter(services(3));
  for (const key of ['ArrowRight', 'Enter']) press(key);
  const editor = await screen.findByLabelText('Owner of service-0');
  for (const key of ['ArrowLeft', 'Home', ' ']) press(key);
  expect(document.activeElement).toBe(editor);
  press('Enter');
  expect(here()).toBe('3:2');
  press('F2');
  expect(document.activeElement).toBe(await screen.findByLabelText('Owner of service-1'));
  press('Escape');
  expect([here(), document.activeElement?.getAttribute('role')]).toEqual(['3:2', 'gridcell']);
});

test('Space selects a row, with Shift up to it, Control and A what is loaded, Escape nothing', async () => {
  let last: ReadonlySet<string> = new Set();
  function Selecting() {
    const [selected, setSelected] = useState(last);
    const change = (next: ReadonlySet<string>) => {
      last = next;
      setSelected(next);
    };
    return <DataTable {...shared} rows={services(6)} selection={{ selected, onChange: change }} />;
  }
  await draw(<Selecting />);
  act(() => grid().querySelector<HTMLElement>('[tabindex="0"]')?.focus());
  // the checkboxes come first, and Tab leads past them
  expect(here()).toBe('2:2');
  press(' ');
  for (const key of ['ArrowDown', 'ArrowDown', 'ArrowDown']) press(key);
  press(' ', { shiftKey: true });
  expect([...last]).toEqual(['service-0', 'service-1', 'service-2', 'service-3']);
  expect(grid().querySelectorAll('[aria-selected="true"]')).toHaveLength(4);
  press('a', { ctrlKey: true });
  expect(last.size).toBe(6);
  press('Escape');
  expect(last.size).toBe(0);
  fireEvent.click(screen.getByRole('checkbox', { name: 'Select service-1' }));
  fireEvent.click(screen.getByRole('checkbox', { name: 'Select service-4' }), { shiftKey: true });
  expect(last.size).toBe(4);
  fireEvent.click(screen.getByRole('checkbox', { name: 'Select all loaded rows' }));
  expect(last.size).toBe(6);
});

test('the focus follows its row when rows are sorted, and goes to the next when its row is gone', async () => {
  let show: (rows: readonly Service[]) => void = () => {};
  function Changing() {
    const [rows, setRows] = useState<readonly Service[]>(services(5));
    show = setRows;
    return <DataTable {...shared} rows={rows} />;
  }
  await draw(<Changing />);
  act(() => grid().querySelector<HTMLElement>('[tabindex="0"]')?.focus());
  press('ArrowDown');
  act(() => show(services(5).reverse()));
  expect([here(), document.activeElement?.textContent]).toEqual(['5:1', 'service-1']);
  act(() => show(services(5).filter(({ id }) => id !== 'service-1')));
  await waitFor(() => expect(document.activeElement?.textContent).toBe('service-4'));
  expect(here()).toBe('5:1');
});
