import { Button, Switch } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { act, fireEvent, screen, within } from '@testing-library/react';
import { type ReactNode, useState } from 'react';
import { expect, test, vi } from 'vitest';
import { draw } from '../../../test/draw.tsx';
import { fakeApi, Refused } from '../../../test/fake-api.ts';
import { call } from '../../api/api.ts';
import { CommandProvider, useCommands } from '../../frame/commands.tsx';
import { Menu } from '../../kit/menu.tsx';
import { ErrorState } from '../../kit/states.tsx';
import { AskForAccess } from './ask-for-access.tsx';
import { Needs, NeedsItem, NeedsOperation, NeedsSwitch } from './needs.tsx';
import type { Permit } from './permit.ts';
import { ReadOnly } from './read-only.tsx';

const moderator = { isAllowed: false, needs: 'Admin, or Moderator of Service' };
const granted = { isAllowed: true, needs: '' };

function server(access: string[] = ['token'], users: object[] = []) {
  return fakeApi({
    getOwnIdentity: () => ({ ok: true, user: { name: 'Kim' }, roles: [], access }),
    listUsers: () => ({ ok: true, users }),
  } as never);
}

const admin = {
  email: 'ana@x.example',
  firstName: 'Ana',
  lastName: 'Silva',
  status: 'Active',
  roles: [{ name: 'Admin' }],
};

test('a control without the right does nothing, says what it needs, and asks for access', async () => {
  server(['token'], [admin]);
  const press = vi.fn();
  const session = { user: { name: 'Kim' }, roles: [], access: ['token'] };
  await draw(
    <WithSession session={session}>
      <AskForAccess>
        <Needs permit={moderator} to="edit EDI Bridge">
          <Button onClick={press}>Edit</Button>
        </Needs>
      </AskForAccess>
    </WithSession>,
  );
  const button = screen.getByRole('button', { name: 'Edit' });
  expect(button.getAttribute('aria-disabled')).toBe('true');
  expect((button as HTMLButtonElement).disabled).toBe(false);
  const described = document.getElementById(button.getAttribute('aria-describedby') ?? '');
  expect(described?.textContent).toContain('Needs Admin, or Moderator of Service');
  fireEvent.click(button);
  expect(press).not.toHaveBeenCalled();
  const dialog = await screen.findByRole('dialog', { name: 'Ask for access' });
  await within(dialog).findByText(/Ana Silva/);
  const message = within(dialog).getByLabelText<HTMLTextAreaElement>('Message to send').value;
  expect(message).toContain('give me the right to edit EDI Bridge');
  expect(within(dialog).getByRole('link', { name: 'Write an email' }).getAttribute('href')).toContain(
    'mailto:ana%40x.example',
  );
});

test('a control with the right is the control alone, and one that is not known yet cannot be pressed', async () => {
  server();
  const press = vi.fn();
  await draw(
    <>
      <Needs permit={granted} to="edit">
        <Button onClick={press}>May</Button>
      </Needs>
      <Needs permit={undefined} to="edit">
        <Button onClick={press}>Unknown</Button>
      </Needs>
    </>,
  );
  fireEvent.click(screen.getByRole('button', { name: 'Unknown' }));
  expect(press).not.toHaveBeenCalled();
  fireEvent.click(screen.getByRole('button', { name: 'May' }));
  expect(press).toHaveBeenCalledOnce();
});

test('an operation for administrators follows what the session says, not the roles', async () => {
  server();
  const session = { user: null, roles: ['Admin'], access: ['token'] };
  await draw(
    <WithSession session={session}>
      <NeedsOperation operation="deleteBlueprint" to="delete it">
        <Button>Delete</Button>
      </NeedsOperation>
      <NeedsOperation operation="deleteEntity" to="delete it">
        <Button>Entity</Button>
      </NeedsOperation>
    </WithSession>,
  );
  expect(screen.getByRole('button', { name: 'Delete' }).getAttribute('aria-disabled')).toBe('true');
  expect(screen.getByRole('button', { name: 'Entity' }).getAttribute('aria-disabled')).toBeNull();
});

function WithSession({ session, children }: { session: object; children: ReactNode }) {
  useQueryClient().setQueryData(['session'], session);
  return children;
}

test('an entry of a menu says its need below its words', async () => {
  server();
  const press = vi.fn();
  await draw(
    <Menu opened>
      <Menu.Target>
        <button type="button">More</button>
      </Menu.Target>
      <Menu.Dropdown>
        <NeedsItem permit={moderator} to="delete">
          <Menu.Item onClick={press}>Delete it</Menu.Item>
        </NeedsItem>
      </Menu.Dropdown>
    </Menu>,
  );
  const item = await screen.findByRole('menuitem', { name: /Delete it.*Needs Admin, or Moderator of Service/ });
  fireEvent.click(item);
  expect(press).not.toHaveBeenCalled();
});

test('an editor without the right is readable, and none of its controls work', async () => {
  server();
  await draw(
    <ReadOnly permit={moderator} to="change the blueprint Service">
      <input aria-label="Title" defaultValue="Service" />
    </ReadOnly>,
  );
  expect(screen.getByText('You can look at this, but not change it')).toBeTruthy();
  expect(screen.getByLabelText('Title').closest('fieldset')?.disabled).toBe(true);
  expect(screen.getByLabelText<HTMLInputElement>('Title').value).toBe('Service');
});

test('a switch without the right keeps its state and asks for access', async () => {
  server();
  const turn = vi.fn();
  await draw(
    <AskForAccess>
      <NeedsSwitch permit={moderator} to="turn it off">
        <Switch label="On" checked onChange={turn} />
      </NeedsSwitch>
    </AskForAccess>,
  );
  const control = screen.getByRole<HTMLInputElement>('switch', { name: 'On' });
  expect(control.getAttribute('aria-disabled')).toBe('true');
  fireEvent.click(control);
  expect([control.checked, turn.mock.calls]).toEqual([true, []]);
  await screen.findByRole('dialog', { name: 'Ask for access' });
});

test('what may only be read has no shortcut that changes it, and what may be changed has', async () => {
  server();
  const save = vi.fn();
  const Form = () => {
    useCommands([{ id: 'save', label: 'Save', keys: 'mod+s', run: save }]);
    return <p>Form</p>;
  };
  const { rerender } = await drawAgain(moderator, <Form />);
  fireEvent.keyDown(document.body, { key: 's', ctrlKey: true });
  expect(save).not.toHaveBeenCalled();
  await rerender(granted);
  fireEvent.keyDown(document.body, { key: 's', ctrlKey: true });
  expect(save).toHaveBeenCalledOnce();
});

/** An editor with a button that changes what the server says about it. */
async function drawAgain(first: Permit, editor: ReactNode) {
  let change: (permit: Permit) => void = () => undefined;
  const Holder = () => {
    const [permit, setPermit] = useState(first);
    change = setPermit;
    return (
      <CommandProvider>
        <ReadOnly permit={permit} to="change it">
          {editor}
        </ReadOnly>
      </CommandProvider>
    );
  };
  await draw(<Holder />);
  return { rerender: (permit: Permit) => act(async () => change(permit)) };
}

test('a refused screen names who can give access, and nobody where that may not be seen', async () => {
  server(['token'], [admin, { ...admin, email: 'gone@x.example', firstName: 'Old', status: 'Disabled' }]);
  await draw(
    <AskForAccess>
      <ErrorState error={await refusal()} />
    </AskForAccess>,
  );
  const alert = await screen.findByRole('alert');
  await within(alert).findByText(/Ana Silva/);
  expect(alert.textContent).not.toContain('Old');
});

async function refusal(): Promise<unknown> {
  fakeApi({
    getOwnOrganization: () => {
      throw new Refused(403, 'missing_permissions', 'Only an administrator may do this');
    },
    listUsers: () => ({ ok: true, users: [admin] }),
  } as never);
  return call('getOwnOrganization').catch((error: unknown) => error);
}
