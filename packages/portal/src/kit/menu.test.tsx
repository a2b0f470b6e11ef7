import { fireEvent, screen, waitFor } from '@testing-library/react';
import { expect, test } from 'vitest';
import { draw } from '../../test/draw.tsx';
import { Menu } from './menu.tsx';
import { Tooltip } from './tooltip.tsx';

function Actions({ onRun }: { onRun: () => void }) {
  return (
    <Menu>
      <Menu.Target>
        <button type="button">Actions</button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item onClick={onRun}>Run</Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}

test('a closed menu is its button, which says that it opens one', async () => {
  await draw(<Actions onRun={() => undefined} />);
  const button = screen.getByRole('button', { name: 'Actions' });
  expect(button.getAttribute('aria-haspopup')).toBe('menu');
  expect(button.getAttribute('aria-expanded')).toBe('false');
  expect(screen.queryByRole('menuitem')).toBeNull();
});

test('the first press opens it, its entry acts, and the next press opens it again', async () => {
  let runs = 0;
  await draw(<Actions onRun={() => (runs += 1)} />);
  for (let press = 1; press <= 2; press += 1) {
    screen.getByRole('button', { name: 'Actions' }).focus();
    fireEvent.click(screen.getByRole('button', { name: 'Actions' }));
    fireEvent.click(await screen.findByRole('menuitem', { name: 'Run' }));
    expect(runs).toBe(press);
    await waitFor(() => expect(screen.queryByRole('menuitem')).toBeNull());
    await waitFor(() => expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Actions' })));
  }
});

test('a control keeps its element when its tip comes, and is described by it while it is shown', async () => {
  await draw(
    <Tooltip label="Keyboard shortcuts">
      <button type="button">Help</button>
    </Tooltip>,
  );
  const button = screen.getByRole('button', { name: 'Help' });
  fireEvent.pointerEnter(button);
  expect((await screen.findByRole('tooltip')).textContent).toBe('Keyboard shortcuts');
  expect(screen.getByRole('button', { name: 'Help' })).toBe(button);
  expect(document.getElementById(button.getAttribute('aria-describedby') ?? '')?.textContent).toBe(
    'Keyboard shortcuts',
  );
  fireEvent.pointerLeave(button);
  await waitFor(() => expect(screen.queryByRole('tooltip')).toBeNull());
  expect(button.hasAttribute('aria-describedby')).toBe(false);
});
