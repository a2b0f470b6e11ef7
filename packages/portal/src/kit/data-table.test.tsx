import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { useState } from 'react';
import { beforeEach, expect, test, vi } from 'vitest';
import { draw } from '../../test/draw.tsx';
import type { Column, Sort } from './column.ts';
import { DataTable } from './data-table.tsx';

interface Service {
  readonly id: string;
  readonly owner: string;
}

const columns: readonly Column<Service>[] = [
  { key: 'id', title: 'Service', sortBy: 'identifier', cell: ({ id }) => <a href={`/${id}`}>{id}</a> },
  { key: 'owner', title: 'Owner', cell: ({ owner }) => owner },
];
const services = (count: number): Service[] =>
  Array.from({ length: count }, (_, index) => ({ id: `service-${index}`, owner: `team-${index}` }));
const shared = { label: 'Services', columns, keyOf: ({ id }: Service) => id };
const rows = () => within(screen.getAllByRole('rowgroup').at(-1) as HTMLElement).queryAllByRole('row');

beforeEach(() => {
  // jsdom has no layout: give the scrolling element a size
  vi.spyOn(HTMLElement.prototype, 'clientHeight', 'get').mockReturnValue(440);
  vi.spyOn(HTMLElement.prototype, 'clientWidth', 'get').mockReturnValue(800);
  return () => vi.restoreAllMocks();
});

test('says its name, its columns and how many rows there are, of which the server has more', async () => {
  await draw(<DataTable {...shared} rows={services(3)} total={{ count: 17, isExact: true }} hasMore />);
  const table = await screen.findByRole('grid', { name: 'Services' });
  expect(table.getAttribute('aria-rowcount')).toBe('18');
  expect(table.getAttribute('aria-colcount')).toBe('2');
  expect(
    within(table)
      .getAllByRole('columnheader')
      .map(({ textContent }) => textContent),
  ).toEqual(['Service', 'Owner']);
  await waitFor(() => expect(rows()).toHaveLength(3));
  expect(rows().map((row) => row.getAttribute('aria-rowindex'))).toEqual(['2', '3', '4']);
  expect(rows().map((row) => within(row).getByRole('rowheader').textContent)).toEqual(services(3).map(({ id }) => id));
  screen.getByText('3 of 17 rows');
});

test('draws only the rows in sight of ten thousand', async () => {
  await draw(<DataTable {...shared} rows={services(10_000)} />);
  await waitFor(() => expect(rows().length).toBeGreaterThan(5));
  expect(rows().length).toBeLessThan(60);
  expect(screen.getAllByRole('rowgroup').at(-1)?.style.height).toBe('440000px');
  screen.getByText('10,000 rows');
});

test('a heading sorts upwards, then downwards, then not; what cannot be sorted has no button', async () => {
  const asked: (Sort | undefined)[] = [];
  function Sorted() {
    const [sort, setSort] = useState<Sort>();
    const change = (next: Sort | undefined) => {
      asked.push(next);
      setSort(next);
    };
    return <DataTable {...shared} rows={services(2)} sort={sort} onSort={change} />;
  }
  await draw(<Sorted />);
  const button = await screen.findByRole('button', { name: 'Service' });
  const head = () => screen.getByRole('columnheader', { name: 'Service' }).getAttribute('aria-sort');
  expect(head()).toBe('none');
  fireEvent.click(button);
  expect(head()).toBe('ascending');
  fireEvent.click(button);
  expect(head()).toBe('descending');
  fireEvent.click(button);
  expect(head()).toBe('none');
  expect(asked.map((sort) => sort?.order)).toEqual(['asc', 'desc', undefined]);
  expect(screen.queryByRole('button', { name: 'Owner' })).toBeNull();
});

test('opens the row that is clicked beside its links, and leaves its links alone', async () => {
  const opened: string[] = [];
  await draw(<DataTable {...shared} rows={services(3)} onOpen={({ id }) => opened.push(id)} />);
  fireEvent.click(await screen.findByText('team-1'));
  fireEvent.click(screen.getByRole('link', { name: 'service-2' }));
  expect(opened).toEqual(['service-1']);
});

test('rows that are loaded later are added, and more is asked for once at a time', async () => {
  let asked = 0;
  let arrive = () => {};
  function Loading() {
    const [count, setCount] = useState(20);
    const [isLoading, setLoading] = useState(false);
    const more = () => {
      asked += 1;
      setLoading(true);
      arrive = () => {
        setCount((before) => before + 20);
        setLoading(false);
      };
    };
    return (
      <DataTable {...shared} rows={services(count)} hasMore={count < 60} isLoadingMore={isLoading} onMore={more} />
    );
  }
  await draw(<Loading />);
  await waitFor(() => expect(asked).toBe(1));
  fireEvent.scroll(screen.getByRole('grid', { name: 'Services' }).parentElement as HTMLElement);
  expect(asked).toBe(1);
  arrive();
  await screen.findByText('≥ 40 rows');
  fireEvent.click(screen.getByRole('button', { name: 'Load more' }));
  expect(asked).toBe(2);
  arrive();
  await screen.findByText('60 rows');
  expect(screen.queryByRole('button', { name: 'Load more' })).toBeNull();
  expect(asked).toBe(2);
});

test('shows what stands in for rows where there are none', async () => {
  await draw(<DataTable {...shared} rows={[]} empty={<p>No services match</p>} />);
  await screen.findByText('No services match');
  expect(screen.queryByRole('grid')).toBeNull();
});
