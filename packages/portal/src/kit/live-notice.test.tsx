import { act, screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { draw } from '../../test/draw.tsx';
import { fakeApi } from '../../test/fake-api.ts';
import { publishLive } from '../api/live.ts';
import { useEntities } from '../parts/entities/use-entities.ts';
import { LiveNotice } from './live-notice.tsx';

// what other tests wrote lies long ago, so that nothing is taken for a change from this page
beforeEach(() => {
  const later = Date.now() + 60_000;
  vi.spyOn(Date, 'now').mockReturnValue(later);
});
afterEach(() => {
  vi.restoreAllMocks();
});

function Rows() {
  const { found, rows, begun } = useEntities({ blueprint: 'service' });
  if (found.isPending) return null;
  const read = () => void found.refetch();
  return (
    <>
      <LiveNotice
        blueprint="service"
        begun={begun}
        isReading={found.isFetching && !found.isFetchingNextPage}
        onShow={read}
      />
      <p>{rows.length} rows</p>
      <button type="button" onClick={read}>
        Read
      </button>
      <button type="button" onClick={() => void found.fetchNextPage()}>
        More
      </button>
    </>
  );
}

const answers: ((entities?: object[]) => void)[] = [];

async function drawRows() {
  answers.length = 0;
  fakeApi({
    searchBlueprintEntities: () =>
      new Promise((resolve) =>
        answers.push((entities = [{ identifier: 'api' }]) => resolve({ ok: true, entities, next: 'more' })),
      ),
  } as never);
  await draw(<Rows />);
}

async function answer(entities?: object[]): Promise<void> {
  await vi.waitFor(() => expect(answers).not.toEqual([]));
  await act(async () => answers.shift()?.(entities));
  await screen.findByText(/rows$/);
}

const press = (name: string) => act(async () => screen.getByRole('button', { name }).click());

async function hear(entity: string, blueprint = 'service'): Promise<void> {
  const change = { event: 'entity.updated', resource: 'entity', identifier: entity, blueprint, entity };
  await act(async () => publishLive([change] as never, false));
}

test('what changes while rows are read for the first time is announced', async () => {
  await drawRows();
  await hear('api');
  await hear('other', 'team');
  await answer();
  expect(await screen.findByText(/^1 row has changed/)).toBeTruthy();
  await press('Show');
  await answer([]);
  await screen.findByText('0 rows');
  expect(screen.queryByText(/changed since/)).toBeNull();
});

test('so is what changes while they are read anew, and more rows answer for none of it', async () => {
  await drawRows();
  await answer();
  await press('Read');
  await hear('api');
  await hear('web');
  await answer();
  expect(await screen.findByText(/^2 rows have changed/)).toBeTruthy();
  await press('More');
  await answer();
  expect(await screen.findByText('2 rows')).toBeTruthy();
  expect(screen.getByText(/^2 rows have changed/)).toBeTruthy();
});
