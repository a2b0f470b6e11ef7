import { fireEvent, screen } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { draw } from '../../test/draw.tsx';
import { Dialog } from './dialog.tsx';

function Asking({ title, onSend, children }: { title: string; onSend: () => void; children?: React.ReactNode }) {
  return (
    <Dialog opened onClose={() => {}} title={title}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          event.stopPropagation();
          onSend();
        }}
      >
        <textarea aria-label={`Text of ${title}`} />
        <button type="button">Cancel {title}</button>
        <button type="submit">Send {title}</button>
      </form>
      {children}
    </Dialog>
  );
}

test('Ctrl and Enter send the form of a field once: not that of a dialog around it, nor again while the key is held', async () => {
  const [outer, inner] = [vi.fn(), vi.fn()];
  await draw(
    <Asking title="one" onSend={outer}>
      <Asking title="two" onSend={inner} />
    </Asking>,
  );
  const field = await screen.findByLabelText('Text of two');
  // false: whatever the browser does by itself is prevented
  expect(fireEvent.keyDown(field, { key: 'Enter', ctrlKey: true })).toBe(false);
  fireEvent.keyDown(field, { key: 'Enter', ctrlKey: true, repeat: true });
  expect([outer.mock.calls.length, inner.mock.calls.length]).toEqual([0, 1]);
});

test('whoever presses them on a button means the button', async () => {
  const send = vi.fn();
  await draw(<Asking title="one" onSend={send} />);
  const cancel = await screen.findByText('Cancel one');
  expect(fireEvent.keyDown(cancel, { key: 'Enter', ctrlKey: true })).toBe(true);
  expect(send).not.toHaveBeenCalled();
});
