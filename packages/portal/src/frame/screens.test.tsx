import { MantineProvider } from '@mantine/core';
import {
  createMemoryHistory,
  createRootRoute,
  createRoute,
  createRouter,
  Outlet,
  RouterProvider,
} from '@tanstack/react-router';
import { act, fireEvent, render, screen } from '@testing-library/react';
import { useEffect } from 'react';
import { expect, test } from 'vitest';
import { Screens } from './screens.tsx';
import { useParam, useUrlState } from './url-state.ts';

/** Which screens run effects at the moment. */
const running: string[] = [];
let drawings = 0;

function Thing() {
  const name = useParam('blueprint');
  const [filter] = useUrlState('/', 'filter' as never);
  drawings += 1;
  useEffect(() => {
    running.push(name);
    return () => {
      running.splice(running.indexOf(name), 1);
    };
  }, [name]);
  if (name === 'broken') throw new Error('It fell over');
  return (
    <>
      <h1>
        {name} {String(filter ?? '')}
      </h1>
      <input aria-label={`Words of ${name}`} />
    </>
  );
}

async function drawScreens() {
  drawings = 0;
  const root = createRootRoute({ component: Outlet });
  const frame = createRoute({ getParentRoute: () => root, id: 'frame', component: Screens });
  const thing = (path: string, stays: boolean) =>
    createRoute({ getParentRoute: () => frame, path, component: Thing, staticData: { stays } });
  const router = createRouter({
    routeTree: root.addChildren([
      frame.addChildren([thing('/kept/$blueprint', true), thing('/form/$blueprint', false)]),
    ]),
    history: createMemoryHistory({ initialEntries: ['/kept/a'] }),
  });
  const goTo = (to: string) => act(() => router.navigate({ to } as never));
  await act(async () => {
    await router.load();
    render(
      <MantineProvider env="test">
        <RouterProvider router={router as never} />
      </MantineProvider>,
    );
  });
  return { goTo, back: () => act(async () => router.history.back()) };
}

const heading = () => screen.findByRole('heading');
const shown = async () => (await heading()).textContent?.trim();
const type = (name: string, value: string) =>
  fireEvent.change(screen.getByLabelText(`Words of ${name}`), { target: { value } });
const typed = (name: string) => (screen.getByLabelText(`Words of ${name}`) as HTMLInputElement).value;

test('who comes back finds the screen as it was left, drawn once', async () => {
  const { goTo, back } = await drawScreens();
  type('a', 'half a word');
  await goTo('/kept/b');
  expect(await shown()).toBe('b');
  // nobody finds what was left on the page, and nothing of it runs
  expect(screen.queryByLabelText('Words of a')).toBeNull();
  expect(running).toEqual(['b']);
  const before = drawings;
  await back();
  expect([await shown(), typed('a'), running]).toEqual(['a', 'half a word', ['a']]);
  expect(drawings).toBe(before);
});

test('a left screen keeps its own address, and follows it when it is shown with another', async () => {
  const { goTo } = await drawScreens();
  await goTo('/kept/b');
  await goTo('/kept/a?filter=old');
  expect(await shown()).toBe('a old');
  await goTo('/kept/a');
  expect(await shown()).toBe('a');
});

test('a form is empty when somebody comes back', async () => {
  const { goTo } = await drawScreens();
  await goTo('/form/a');
  type('a', 'sent');
  await goTo('/kept/b');
  await goTo('/form/a');
  expect([await shown(), typed('a')]).toEqual(['a', '']);
});

test('the screen that was shown longest ago goes when there are too many', async () => {
  const { goTo } = await drawScreens();
  type('a', 'gone');
  for (const name of ['b', 'c', 'd', 'e', 'f']) {
    await goTo(`/kept/${name}`);
    type(name, name);
  }
  await goTo('/kept/b');
  expect(typed('b')).toBe('b');
  await goTo('/kept/a');
  expect(typed('a')).toBe('');
});

test('a screen that falls over takes no other with it', async () => {
  const { goTo, back } = await drawScreens();
  type('a', 'still here');
  await goTo('/kept/broken');
  await screen.findByText('It fell over', { exact: false });
  await back();
  expect([await shown(), typed('a')]).toEqual(['a', 'still here']);
});
