import { useRouterState } from '@tanstack/react-router';
import { createContext, useContext } from 'react';

/** Where a screen is: its route, and what its address says. */
export interface Place {
  readonly routeId: string;
  readonly pathname: string;
  readonly params: Readonly<Record<string, string | undefined>>;
  readonly search: Readonly<Record<string, unknown>>;
  /** Whether the screen is kept when it is left. */
  readonly stays: boolean;
}

/** The place of the screen that is drawn, which a kept screen has also while another one is shown. */
export const ScreenPlace = createContext<Place | undefined>(undefined);

/** A path parameter of the screen; around the screens, of the one that is shown. */
export function usePlaceParam(name: string): string | undefined {
  const place = useContext(ScreenPlace);
  const shown = useRouterState({ select: ({ matches }) => (place ? undefined : paramsOfLast(matches)[name]) });
  return place ? place.params[name] : shown;
}

/** What the address of the screen says; around the screens, that of the one that is shown. */
export function usePlaceSearch(): Readonly<Record<string, unknown>> {
  const place = useContext(ScreenPlace);
  const shown = useRouterState({ select: ({ matches }) => (place ? undefined : matches.at(-1)?.search) });
  return (place ? place.search : shown) ?? {};
}

function paramsOfLast(matches: readonly { readonly params: object }[]): Place['params'] {
  return (matches.at(-1)?.params ?? {}) as Place['params'];
}
