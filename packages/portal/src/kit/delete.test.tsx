import { Button } from '@mantine/core';
import { fireEvent, screen, waitFor } from '@testing-library/react';
import { expect, test } from 'vitest';
import { draw } from '../../test/draw.tsx';
import { fakeApi, Refused } from '../../test/fake-api.ts';
import { isBeingLeft } from '../api/live.ts';
import { useRead } from '../api/query.ts';
import { useDelete } from './delete.ts';

const entity = { blueprint_identifier: 'service', entity_identifier: 'rates' };

function Entity({ hasUndo = false, leadsTo }: { hasUndo?: boolean; leadsTo?: '/runs' }) {
  const count = useRead('countEntities', { params: { blueprint_identifier: 'service' } });
  const { ask, isPending } = useDelete('deleteEntity', {
    staleAfter: ['countEntities'],
    ...(leadsTo ? { leadsTo } : {}),
  });
  const deletion = {
    input: { params: entity },
    name: 'Rates',
    consequence: 'Relations that lead to it stay empty.',
    withDependents: { params: entity, query: { delete_dependents: true } },
  };
  const undo = async () => async () => {
    await fetch('/v1/blueprints/service/entities', { method: 'POST', body: '{"identifier":"rates"}' });
  };
  return (
    <>
      <p>{count.data?.count} entities</p>
      <Button loading={isPending} onClick={() => void ask({ ...deletion, ...(hasUndo ? { undo } : {}) })}>
        Delete the entity
      </Button>
    </>
  );
}

const countEntities = () => ({ ok: true as const, count: 3 });
const deleteEntity = () => ({ ok: true as const });
const names = (received: readonly { name: string }[]) =>
  received.map(({ name }) => name).filter((name) => name !== 'countEntities');
const asked = () => fireEvent.click(screen.getByRole('button', { name: 'Delete the entity' }));
const answer = async (verb: string) => fireEvent.click(await screen.findByRole('button', { name: verb }));

test('says what follows, deletes once the person is sure, and reads anew what it made old', async () => {
  const received = fakeApi({ countEntities, deleteEntity } as never);
  await draw(<Entity />);
  await screen.findByText('3 entities');
  asked();
  await screen.findByText('Relations that lead to it stay empty.');
  expect(names(received)).toEqual([]);
  await answer('Delete');
  await screen.findByText('Rates was deleted');
  expect(names(received)).toEqual(['deleteEntity']);
  expect(received.filter(({ name }) => name === 'countEntities')).toHaveLength(2);
  expect(screen.queryByRole('button', { name: 'Undo' })).toBeNull();
});

test('deletes nothing when the person says no', async () => {
  const received = fakeApi({ countEntities, deleteEntity } as never);
  await draw(<Entity />);
  asked();
  await answer('Cancel');
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(names(received)).toEqual([]);
});

test('asks once more where others require it, and then deletes them too, without Undo', async () => {
  const received = fakeApi({
    countEntities,
    deleteEntity: ({ query }: { query: Record<string, string> }) => {
      if (query['delete_dependents'] !== 'true') throw new Refused(409, 'has_dependents', '2 deployments require it');
      return { ok: true };
    },
  } as never);
  await draw(<Entity hasUndo />);
  asked();
  await answer('Delete');
  await screen.findByText('2 deployments require it');
  expect(names(received)).toEqual(['deleteEntity']);
  await answer('Delete them all');
  await screen.findByText('Rates and what required it were deleted');
  expect(names(received)).toEqual(['deleteEntity', 'deleteEntity']);
  expect(screen.queryByRole('button', { name: 'Undo' })).toBeNull();
});

test('leaves everything where others require it and the person is not sure of them', async () => {
  const received = fakeApi({
    countEntities,
    deleteEntity: () => {
      throw new Refused(409, 'has_dependents', '2 deployments require it');
    },
  });
  await draw(<Entity leadsTo="/runs" />);
  asked();
  await answer('Delete');
  await screen.findByText('2 deployments require it');
  await answer('Cancel');
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(names(received)).toEqual(['deleteEntity']);
  expect(screen.queryByText(/were deleted/)).toBeNull();
});

test('Undo writes it anew and reads anew what it made old', async () => {
  const received = fakeApi({ countEntities, deleteEntity, createEntity: () => ({ ok: true }) } as never);
  await draw(<Entity hasUndo />);
  asked();
  await answer('Delete');
  await answer('Undo');
  await waitFor(() => expect(received.filter(({ name }) => name === 'countEntities')).toHaveLength(3));
  expect(names(received)).toEqual(['deleteEntity', 'createEntity']);
});

test('a refusal is said, and the screen stays', async () => {
  fakeApi({
    countEntities,
    deleteEntity: () => {
      throw new Refused(403, 'forbidden', 'Only its owners may delete it.');
    },
  });
  const { path } = await draw(<Entity leadsTo="/runs" />);
  asked();
  await answer('Delete');
  await screen.findByText('Only its owners may delete it.');
  expect(path()).toBe('/');
  expect(screen.queryByText('Rates was deleted')).toBeNull();
});

test('the screen of what is gone is left before anything is read anew', async () => {
  const received = fakeApi({ countEntities, deleteEntity } as never);
  const { path } = await draw(<Entity leadsTo="/runs" />);
  await screen.findByText('3 entities');
  asked();
  await answer('Delete');
  await screen.findByText('Rates was deleted');
  expect(path()).toBe('/runs');
  expect(received.filter(({ name }) => name === 'countEntities')).toHaveLength(1);
});

test('nobody else reads what is being deleted: changes wait until its screen is left, or until the refusal', async () => {
  const states: boolean[] = [];
  let isRefused = true;
  const deleteEntity = () => {
    states.push(isBeingLeft());
    if (isRefused) throw new Refused(403, 'forbidden', 'Only its owners may delete it.');
    return { ok: true as const };
  };
  fakeApi({ countEntities, deleteEntity });
  await draw(<Entity leadsTo="/runs" />);
  asked();
  await answer('Delete');
  await screen.findByText('Only its owners may delete it.');
  expect(isBeingLeft()).toBe(false);
  isRefused = false;
  asked();
  await answer('Delete');
  await screen.findByText('Rates was deleted');
  expect([states, isBeingLeft()]).toEqual([[true, true], false]);
});
