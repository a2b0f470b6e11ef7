import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { useState } from 'react';
import { beforeEach, expect, test, vi } from 'vitest';
import { draw } from '../../../test/draw.tsx';
import { fakeApi, Refused } from '../../../test/fake-api.ts';
import type { Column } from '../../kit/column.ts';
import { DataTable } from '../../kit/data-table.tsx';
import type { Field } from './fields.ts';
import { joined, type Query } from './operators.ts';
import { useStrips, ValueStrips } from './value-strips.tsx';

const risk: Field = {
  key: 'risk',
  title: 'Risk',
  source: 'property',
  shape: { type: 'string', enum: ['low', 'high', 'none'] },
  isRequired: false,
};
const note: Field = { ...risk, key: 'note', title: 'Note', shape: { type: 'string' } };
const fields = [note, risk];
const onPage: Query = { combinator: 'and', rules: [{ property: 'page', operator: '=', value: 1 }] };
const queryWith = (filter: Query | undefined) => joined([onPage, filter]);

beforeEach(() => {
  // jsdom has no layout: give the scrolling element a size
  vi.spyOn(HTMLElement.prototype, 'clientHeight', 'get').mockReturnValue(440);
  vi.spyOn(HTMLElement.prototype, 'clientWidth', 'get').mockReturnValue(800);
  return () => vi.restoreAllMocks();
});

const server = () =>
  fakeApi({
    countBlueprintValues: ({ body: { properties, query } }) => {
      const isChosen = JSON.stringify(query ?? {}).includes('"risk"');
      const groups = isChosen
        ? [{ value: 'low', count: 9 }]
        : [
            { value: 'low', count: 9 },
            { value: 'high', count: 3 },
          ];
      return {
        ok: true,
        counts: properties.map((property) => ({ property, groups, groupsLeftOut: 0 })),
        total: 12,
      };
    },
  });

let filtered: Query | undefined;
function Table() {
  const stripOf = useStrips();
  const columns = fields.map(
    (field): Column<string> => ({
      key: field.key,
      title: field.title,
      sortBy: field.key,
      below: stripOf?.(field),
      cell: (row) => row,
    }),
  );
  return <DataTable label="Services" columns={columns} rows={['a', 'b']} keyOf={(row) => row} onSort={() => {}} />;
}
function Filtered() {
  const [filter, setFilter] = useState<Query>();
  filtered = filter;
  return (
    <ValueStrips
      query={queryWith(filter)}
      fields={fields}
      filtering={{ blueprint: 'service', filter, queryWith, onFilter: setFilter }}
    >
      <Table />
    </ValueStrips>
  );
}

const strip = (name: string) => screen.findByRole('button', { name });
const items = async () => {
  const menu = await screen.findByRole('menu');
  return within(menu)
    .getAllByRole('menuitemcheckbox')
    .map((each) => [each.textContent, each.getAttribute('aria-checked'), (each as HTMLButtonElement).disabled]);
};

test('a heading tells the shares of all that match, in one request for those with few values', async () => {
  const received = server();
  await draw(<Filtered />);
  await strip('Risk: low 9, high 3');
  expect(received.map(({ sent }) => sent.body)).toEqual([{ properties: ['risk'], limit: 100, query: onPage }]);
  expect(screen.queryByRole('button', { name: /^Note:/ })).toBeNull();
});

test('its menu filters by a value, keeps the counts of the others, and takes the filter away again', async () => {
  const received = server();
  await draw(<Filtered />);
  fireEvent.click(await strip('Risk: low 9, high 3'));
  expect(await items()).toEqual([
    ['low9 · 75%', 'false', false],
    ['high3 · 25%', 'false', false],
    ['none0 · 0%', 'false', true],
  ]);
  fireEvent.click(screen.getByRole('menuitemcheckbox', { name: /^low/ }));
  expect(filtered).toEqual({ combinator: 'and', rules: [{ property: 'risk', operator: 'in', value: ['low'] }] });
  await strip('Risk: low 9');
  await waitFor(() => expect(received).toHaveLength(2));
  expect(await items()).toEqual([
    ['low9 · 75%', 'true', false],
    ['high3 · 25%', 'false', false],
    ['none0 · 0%', 'false', true],
  ]);
  fireEvent.click(screen.getByRole('menuitemcheckbox', { name: /^low/ }));
  expect(filtered).toBeUndefined();
});

test('Shift and Enter on the heading open the menu, Enter sorts, and F2 enters it', async () => {
  server();
  await draw(<Filtered />);
  await strip('Risk: low 9, high 3');
  const heading = screen.getByRole('columnheader', { name: /^Risk/ });
  act(() => heading.focus());
  fireEvent.keyDown(heading, { key: 'Enter' });
  expect(document.activeElement?.textContent).toBe('Risk');
  fireEvent.keyDown(document.activeElement as Element, { key: 'Enter', shiftKey: true });
  expect(await items()).toHaveLength(3);
  fireEvent.keyDown(screen.getByRole('menu'), { key: 'Escape' });
  await waitFor(() => expect(screen.queryByRole('menu')).toBeNull());
  await waitFor(async () => expect(document.activeElement).toBe(await strip('Risk: low 9, high 3')));
  fireEvent.keyDown(document.activeElement as Element, { key: 'Escape' });
  expect(document.activeElement).toBe(heading);
  fireEvent.keyDown(heading, { key: 'F2' });
  fireEvent.keyDown(document.activeElement as Element, { key: 'ArrowRight' });
  expect(document.activeElement).toBe(await strip('Risk: low 9, high 3'));
});

test('counts that are refused leave the table as it is', async () => {
  const received = fakeApi({
    countBlueprintValues: () => {
      throw new Refused(422, 'invalid_request', 'gone');
    },
  });
  await draw(<Filtered />);
  await waitFor(() => expect(received).toHaveLength(1));
  expect(screen.getByRole('button', { name: 'Risk' })).toBeTruthy();
  expect(screen.queryByRole('button', { name: /^Risk:/ })).toBeNull();
});
