import type { Memory } from '@portolan/contract/memory';
import { fireEvent, screen, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { draw } from '../../../test/draw.tsx';
import { fakeApi } from '../../../test/fake-api.ts';
import { Screen } from './memory.screen.tsx';

const now = '2026-11-27T00:00:00.000Z';
const cart: Memory = { id: 'note_1', content: 'I work on cart', createdAt: now, updatedAt: now, invocation: null };

async function show(memories: Memory[], state: { memoryEnabled: boolean; isOn: boolean }) {
  const sent = fakeApi({
    listMemories: () => ({ ok: true, memories, ...state }),
    createMemory: () => ({ ok: true, memory: cart }),
    updateMemory: () => ({ ok: true, memory: cart }),
    deleteMemory: () => ({ ok: true }),
    deleteMemories: () => ({ ok: true }),
    setOwnMemory: () => ({ ok: true, ...state }),
  });
  await draw(<Screen />);
  await screen.findByText(/Nobody else can read them/);
  return (name: string) => sent.filter((each) => each.name === name).map((each) => each.sent);
}
const on = { memoryEnabled: true, isOn: true };

test('where notes are not allowed it says who can allow them, and offers none to write', async () => {
  await show([], { memoryEnabled: false, isOn: false });
  await screen.findByText('Notes are off in this organization');
  expect(screen.queryByRole('switch')).toBeNull();
  expect(screen.queryByRole('button', { name: 'Write a note' })).toBeNull();
});

test('a note says where it is from', async () => {
  await show([cart, { ...cart, id: 'note_2', content: 'prod is eu-west-1', invocation: 'inv_1' }], on);
  const items = await screen.findAllByRole('listitem');
  expect(items.map(({ textContent }) => textContent)).toEqual([
    expect.stringContaining('written by hand'),
    expect.stringContaining('from a question'),
  ]);
});

test('the switch pauses, and paused notes stay to be seen', async () => {
  const sent = await show([cart], on);
  fireEvent.click(await screen.findByRole('switch', { name: /Use my notes/ }));
  await expect.poll(() => sent('setOwnMemory')).toMatchObject([{ body: { isOn: false } }]);
  screen.getByText('I work on cart');
});

test('a note is changed and deleted by its name', async () => {
  const sent = await show([cart], on);
  fireEvent.click(await screen.findByRole('button', { name: 'Change the note: I work on cart' }));
  const dialog = within(await screen.findByRole('dialog'));
  fireEvent.change(dialog.getByRole('textbox', { name: /Note/ }), { target: { value: 'I work on geo' } });
  fireEvent.click(dialog.getByRole('button', { name: 'Save' }));
  await expect
    .poll(() => sent('updateMemory'))
    .toMatchObject([{ params: { memory_id: 'note_1' }, body: { content: 'I work on geo' } }]);
  fireEvent.click(await screen.findByRole('button', { name: 'Delete the note: I work on cart' }));
  fireEvent.click(within(await screen.findByRole('dialog')).getByRole('button', { name: /^Delete/ }));
  await expect.poll(() => sent('deleteMemory')).toMatchObject([{ params: { memory_id: 'note_1' } }]);
});
