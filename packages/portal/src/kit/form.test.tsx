import { PasswordInput, Switch, TextInput } from '@mantine/core';
import { fireEvent, screen, waitFor } from '@testing-library/react';
import { expect, test } from 'vitest';
import { draw } from '../../test/draw.tsx';
import { type Answers, fakeApi, Refused } from '../../test/fake-api.ts';
import { DialogForm, useContractForm } from './form.tsx';

function Secret({ guards, onSaved = () => {} }: { guards?: string; onSaved?: () => void }) {
  const form = useContractForm('createSecret', {
    initial: { secretName: '', value: '', isUsed: false },
    input: ({ secretName, value }) => ({ body: { secretName, secretValue: value } }),
    places: { secretValue: 'value' },
    done: ({ secretName }) => `${secretName} was saved`,
    onSaved,
    ...(guards ? { guards } : {}),
  });
  return (
    <DialogForm form={form} title="New secret" verb="Save" isReady={form.values.secretName !== ''} onClose={() => {}}>
      <TextInput label="Name" {...form.field('secretName')} />
      <PasswordInput label="Value" {...form.field('value')} />
      <Switch label="Used" {...form.box('isUsed')} />
      <p>{form.isDirty ? 'changed' : 'as it was'}</p>
    </DialogForm>
  );
}

const createSecret = () => ({ ok: true, secret: {} });
const answers = (answer: () => unknown): Answers => ({ createSecret: answer }) as unknown as Answers;
const write = (label: string, value: string) => fireEvent.change(screen.getByLabelText(label), { target: { value } });
const save = () => fireEvent.submit(screen.getByRole('button', { name: 'Save' }).closest('form') as HTMLFormElement);

test('sends what was written, says so, and is not dirty afterwards', async () => {
  const received = fakeApi(answers(createSecret));
  await draw(<Secret />);
  expect((await screen.findByRole<HTMLButtonElement>('button', { name: 'Save' })).disabled).toBe(true);
  write('Name', 'token');
  write('Value', 'seal me');
  fireEvent.click(screen.getByLabelText('Used'));
  screen.getByText('changed');
  save();
  await screen.findByText('token was saved');
  expect(received.map(({ sent }) => sent.body)).toEqual([{ secretName: 'token', secretValue: 'seal me' }]);
  await screen.findByText('as it was');
});

test('puts each issue at its field, gives the first one the focus, and keeps what was written', async () => {
  const details = [
    { path: '/secretValue', message: 'is too short' },
    { path: '/secretName', message: 'has a space' },
    { path: '/secretName', message: 'is in use' },
  ];
  fakeApi(
    answers(() => {
      throw new Refused(422, 'invalid_request', 'The secret cannot be stored.', details);
    }),
  );
  await draw(<Secret />);
  await screen.findByRole('dialog');
  write('Name', 'a token');
  write('Value', 'x');
  save();
  expect((await screen.findByRole('alert')).textContent).toContain('The secret cannot be stored.');
  const name = screen.getByLabelText<HTMLInputElement>('Name');
  const value = screen.getByLabelText<HTMLInputElement>('Value');
  const said = (input: HTMLElement) =>
    document.getElementById(input.getAttribute('aria-describedby') ?? '')?.textContent;
  expect([said(name), said(value)]).toEqual(['has a space; is in use', 'is too short']);
  expect(document.activeElement).toBe(name);
  expect([name.value, value.value]).toEqual(['a token', 'x']);
  // a corrected field loses its error
  write('Name', 'token');
  expect([said(screen.getByLabelText('Name')), said(screen.getByLabelText('Value'))]).toEqual([
    undefined,
    'is too short',
  ]);
});

test('is sent once however often it is asked for meanwhile', async () => {
  let finish = () => {};
  const received = fakeApi(
    answers(
      () =>
        new Promise((resolve) => {
          finish = () => resolve(createSecret());
        }),
    ),
  );
  await draw(<Secret />);
  await screen.findByRole('dialog');
  write('Name', 'token');
  save();
  save();
  await waitFor(() => expect(received).toHaveLength(1));
  save();
  finish();
  await screen.findByText('token was saved');
  expect(received).toHaveLength(1);
  // and the form can be sent again once the answer has arrived
  save();
  await waitFor(() => expect(received).toHaveLength(2));
  finish();
});

test('asks before somebody leaves with what is not saved, and stays where they do not want to', async () => {
  fakeApi({});
  const { goTo, path } = await draw(<Secret guards="the secret" />);
  await screen.findByRole('dialog');
  write('Name', 'token');
  void goTo('/elsewhere');
  await screen.findByText('Leave without saving the secret');
  fireEvent.click(screen.getAllByRole('button', { name: 'Cancel' }).at(-1) as HTMLElement);
  await waitFor(() => expect(screen.queryByText('Leave without saving the secret')).toBeNull());
  expect(path()).toBe('/');
  void goTo('/elsewhere');
  fireEvent.click(await screen.findByRole('button', { name: 'Leave without saving' }));
  await screen.findByText('Another screen');
});

test('lets somebody leave who changed nothing, or has saved', async () => {
  fakeApi(answers(createSecret));
  const { goTo } = await draw(<Secret guards="the secret" />);
  await screen.findByRole('dialog');
  write('Name', 'token');
  save();
  await screen.findByText('token was saved');
  void goTo('/elsewhere');
  await screen.findByText('Another screen');
});
