import { useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { useCallback } from 'react';

/** A parameter of the path, decoded. */
export function useParam(name: string): string {
  const params = useParams({ strict: false }) as Readonly<Record<string, string | undefined>>;
  return params[name] ?? '';
}

type Search = Readonly<Record<string, unknown>>;

/**
 * A piece of the view's state that lives in the address, so that it can be linked: a filter, a tab, a selection.
 * Undefined takes it out. `isStep` makes a step of the browser's history of it.
 */
export function useUrlState<Value extends string | number | boolean | readonly unknown[] | object = string>(
  name: string,
): [Value | undefined, (value: Value | undefined, options?: { isStep?: boolean }) => void] {
  const search = useSearch({ strict: false }) as Search;
  const navigate = useNavigate();
  const set = useCallback(
    (value: Value | undefined, { isStep = false } = {}) => {
      void navigate({
        to: '.',
        search: ((before: Search) => ({ ...before, [name]: value })) as never,
        replace: !isStep,
      });
    },
    [name, navigate],
  );
  return [search[name] as Value | undefined, set];
}
