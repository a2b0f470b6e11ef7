import { useNavigate } from '@tanstack/react-router';
import { useCallback } from 'react';
import type { ParamName, Path, SearchOf } from './link-target.ts';
import { usePlaceParam, usePlaceSearch } from './screen-place.ts';

/** A decoded path parameter. */
export function useParam(name: ParamName): string {
  return usePlaceParam(name) ?? '';
}

type UrlState<Value> = [Value | undefined, (value: Value | undefined, options?: { isStep?: boolean }) => void];

/**
 * State in the search of a screen, so that a filter, tab or selection can be linked. Undefined removes it; `isStep`
 * adds a history entry. The area's `routes.ts` has the type.
 */
export function useUrlState<Screen extends Path, Name extends keyof SearchOf<Screen> & string>(
  _screen: Screen,
  name: Name,
): UrlState<NonNullable<SearchOf<Screen>[Name]>> {
  return useOpenUrlState(name);
}

/** Like `useUrlState`, for a name that only the data determines, such as a widget's. The caller checks the value. */
export function useOpenUrlState<Value>(name: string): UrlState<Value> {
  const search = usePlaceSearch();
  const navigate = useNavigate();
  const set = useCallback(
    (value: Value | undefined, { isStep = false } = {}) => {
      void navigate({ to: '.', search: (before) => ({ ...before, [name]: value }), replace: !isStep });
    },
    [name, navigate],
  );
  return [search[name] as Value | undefined, set];
}

/** Sets several values of the address in one step: two steps after another would each keep the other's old value. */
export function useSetUrl(): (values: Readonly<Record<string, unknown>>) => void {
  const navigate = useNavigate();
  return useCallback(
    (values) => void navigate({ to: '.', search: (before) => ({ ...before, ...values }), replace: true }),
    [navigate],
  );
}
