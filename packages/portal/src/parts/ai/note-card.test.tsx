import { fireEvent, screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { draw } from '../../../test/draw.tsx';
import { fakeApi } from '../../../test/fake-api.ts';
import { NoteCard } from './note-card.tsx';

const now = '2026-11-27T00:00:00.000Z';
const note = { id: 'note_1', content: 'I work on cart', createdAt: now, updatedAt: now, invocation: 'inv_1' };

async function show(question: string, state = { memoryEnabled: true, isOn: true }, memories = [] as (typeof note)[]) {
  const sent = fakeApi({
    listMemories: () => ({ ok: true, memories, ...state }),
    createMemory: () => ({ ok: true, memory: note }),
  });
  await draw(
    <div data-testid="place">
      <NoteCard question={question} invocation="inv_1" />
    </div>,
  );
  await screen.findByTestId('place');
  return (name: string) => sent.filter((each) => each.name === name).map((each) => each.sent.body);
}

test('what the question asks to be remembered is kept only after a click', async () => {
  const sent = await show('Remember that I work on cart.');
  await screen.findByText('I work on cart');
  expect(sent('createMemory')).toEqual([]);
  fireEvent.click(screen.getByRole('button', { name: 'Remember it' }));
  await expect.poll(() => sent('createMemory')).toEqual([{ content: 'I work on cart', invocation: 'inv_1' }]);
});

test('nothing is offered after "No"', async () => {
  const sent = await show('Remember that I work on cart.');
  fireEvent.click(await screen.findByRole('button', { name: 'No' }));
  expect(screen.queryByText('I work on cart')).toBeNull();
  expect(sent('createMemory')).toEqual([]);
});

test.each([
  ['notes are not allowed', 'Remember that I work on cart', { memoryEnabled: false, isOn: false }],
  ['notes are paused', 'Remember that I work on cart', { memoryEnabled: true, isOn: false }],
  ['the question asks for nothing', 'Who owns cart?', { memoryEnabled: true, isOn: true }],
])('nothing is offered where %s', async (_where, question, state) => {
  await show(question, state);
  await new Promise((resolve) => setTimeout(resolve, 0));
  expect(screen.queryByRole('button')).toBeNull();
});

test('a note that is there already is not offered again', async () => {
  await show('Remember that I work on cart', { memoryEnabled: true, isOn: true }, [note]);
  await screen.findByText('This is among your notes.');
  expect(screen.queryByRole('button')).toBeNull();
});
