import { fireEvent, screen, waitFor } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { draw } from '../../test/draw.tsx';
import { fakeApi } from '../../test/fake-api.ts';
import { EntityPicker } from './entity-picker.tsx';

const entities = [
  { identifier: 'billing', title: 'Billing' },
  { identifier: 'bidding', title: 'Bidding' },
];

async function drawPicker() {
  fakeApi({ searchBlueprintEntities: () => ({ ok: true, entities }) } as never);
  const onChange = vi.fn();
  const onSubmit = vi.fn((event: { preventDefault: () => void }) => event.preventDefault());
  await draw(
    <form onSubmit={onSubmit}>
      <EntityPicker blueprint="service" label="Service" value={[]} onChange={onChange} />
    </form>,
  );
  const field = screen.getByRole('combobox', { name: 'Service' });
  fireEvent.focus(field);
  return { field, onChange, onSubmit };
}

const enter = { key: 'Enter', code: 'Enter' };

test('Enter takes the best match of what was typed', async () => {
  const { field, onChange } = await drawPicker();
  fireEvent.change(field, { target: { value: 'bil' } });
  await waitFor(() => expect(field.getAttribute('aria-activedescendant')).toBeTruthy());
  fireEvent.keyDown(field, enter);
  expect(onChange).toHaveBeenCalledExactlyOnceWith(['billing']);
});

test('nothing is taken for somebody who has typed nothing', async () => {
  const { field, onChange } = await drawPicker();
  await screen.findByRole('option', { name: /Billing/ });
  fireEvent.keyDown(field, enter);
  expect(onChange).not.toHaveBeenCalled();
});

test('Enter before the matches are there does not send the form', async () => {
  const { field, onChange } = await drawPicker();
  fireEvent.change(field, { target: { value: 'bil' } });
  expect(fireEvent.keyDown(field, enter)).toBe(false);
  expect(onChange).not.toHaveBeenCalled();
});
