import { useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { useCallback } from 'react';
import type { ParamName, Path, SearchOf } from './link-target.ts';

/** A parameter of the path, decoded. */
export function useParam(name: ParamName): string {
  const params: Readonly<Record<string, string | undefined>> = useParams({ strict: false });
  return params[name] ?? '';
}

type UrlState<Value> = [Value | undefined, (value: Value | undefined, options?: { isStep?: boolean }) => void];

/**
 * A value of the search of a screen, so that a filter, a tab or a selection can be linked. Undefined takes it out; `isStep`
 * makes a step of the browser's history. The schema in the area's `routes.ts` has its type.
 */
export function useUrlState<Screen extends Path, Name extends keyof SearchOf<Screen> & string>(
  _screen: Screen,
  name: Name,
): UrlState<NonNullable<SearchOf<Screen>[Name]>> {
  return useOpenUrlState(name);
}

/** The same under a name that only the data knows, such as that of a widget: whoever reads it checks the value. */
export function useOpenUrlState<Value>(name: string): UrlState<Value> {
  const search: Readonly<Record<string, unknown>> = useSearch({ strict: false });
  const navigate = useNavigate();
  const set = useCallback(
    (value: Value | undefined, { isStep = false } = {}) => {
      void navigate({ to: '.', search: (before) => ({ ...before, [name]: value }), replace: !isStep });
    },
    [name, navigate],
  );
  return [search[name] as Value | undefined, set];
}
