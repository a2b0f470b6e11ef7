import { act, fireEvent, screen, waitFor } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { draw } from '../../../test/draw.tsx';
import { fakeApi, Refused } from '../../../test/fake-api.ts';
import type { Column } from '../../kit/column.ts';
import { DataTable } from '../../kit/data-table.tsx';
import type { Field, FieldEntity } from './fields.ts';
import { EditableCell } from './inline-edit.tsx';

const field = (key: string): Field => ({
  key,
  title: key,
  source: 'property',
  shape: { type: 'string' },
  isRequired: false,
});
const column = (key: string): Column<FieldEntity> => ({
  key,
  title: key,
  cell: (entity) => (
    <EditableCell field={field(key)} entity={entity} blueprint="service">
      {String(entity.properties?.[key])}
    </EditableCell>
  ),
});
const columns = [column('version'), column('tier')];
const entities: readonly FieldEntity[] = ['a', 'b'].map((identifier) => ({
  identifier,
  title: identifier,
  properties: { version: `1-${identifier}`, tier: 'low' },
}));
const keyOf = ({ identifier }: FieldEntity) => identifier ?? '';

beforeEach(() => {
  // jsdom has no layout: give the scrolling element a size
  vi.spyOn(HTMLElement.prototype, 'clientHeight', 'get').mockReturnValue(440);
  vi.spyOn(HTMLElement.prototype, 'clientWidth', 'get').mockReturnValue(800);
});

afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

const here = () => {
  const cell = document.activeElement?.closest('[aria-colindex]');
  return [cell?.closest('[role=row]')?.getAttribute('aria-rowindex'), cell?.getAttribute('aria-colindex')].join(':');
};
const press = (key: string) => fireEvent.keyDown(document.activeElement as Element, { key });

async function edit(typed: string): Promise<HTMLElement> {
  press('Enter');
  const input = await screen.findByRole('textbox', { name: 'version' });
  await waitFor(() => expect(document.activeElement).toBe(input));
  fireEvent.change(input, { target: { value: typed } });
  return input;
}

async function open(answer: () => never | object) {
  const sent = fakeApi({ patchEntity: () => answer() as never });
  await draw(<DataTable label="Services" columns={columns} rows={entities} keyOf={keyOf} />);
  await waitFor(() => expect(screen.getAllByRole('row').length).toBe(3));
  act(() => document.querySelector<HTMLElement>('[role=grid] [tabindex="0"]')?.focus());
  return sent;
}

test('Tab saves and goes right, Enter saves and goes down', async () => {
  const sent = await open(() => ({ ok: true, entity: {} }));
  await edit('2');
  press('Tab');
  await waitFor(() => expect(here()).toBe('2:2'));
  press('ArrowLeft');
  const input = await edit('3');
  fireEvent.submit(input.closest('form') as HTMLFormElement);
  await waitFor(() => expect(here()).toBe('3:1'));
  expect(sent.filter(({ name }) => name === 'patchEntity').map(({ sent: { body } }) => body)).toEqual([
    { properties: { version: '2' } },
    { properties: { version: '3' } },
  ]);
});

test('Escape restores, and what is as it was is not sent', async () => {
  const sent = await open(() => ({ ok: true, entity: {} }));
  await edit('2');
  press('Escape');
  await waitFor(() => expect(here()).toBe('2:1'));
  await edit('1-a');
  press('Tab');
  await waitFor(() => expect(here()).toBe('2:2'));
  expect(sent).toEqual([]);
});

test('what the server refuses stays open in its cell, with the reason', async () => {
  await open(() => {
    throw new Refused(422, 'invalid_request', 'Refused', [{ path: 'properties/version', message: 'must be a number' }]);
  });
  const input = await edit('x');
  press('Tab');
  await screen.findByText(/must be a number/);
  expect(document.activeElement).toBe(input);
  expect((input as HTMLInputElement).value).toBe('x');
});
