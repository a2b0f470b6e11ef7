import { useState } from 'react';
import { call, errorCode, type InputOf } from '../../api/api.ts';
import { useRefresh } from '../../api/query.ts';
import { useToast } from '../../kit/toasts.tsx';
import { t } from '../../kit/translate.ts';
import type { Draft, Page } from './page-draft.ts';

/** Saves with a version check; after a conflict it fetches the other version for comparison. */
export function useSave(identifier: string) {
  const [isBusy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>();
  const [conflict, setConflict] = useState<Page>();
  const refresh = useRefresh();
  const toast = useToast();
  const params = { page_identifier: identifier };
  const run = async (draft: Draft, version: string): Promise<Page | undefined> => {
    setBusy(true);
    setError(undefined);
    setConflict(undefined);
    try {
      const body = draft as unknown as NonNullable<InputOf<'replacePage'>['body']>;
      const { page } = await call('replacePage', { params, query: { expectedVersion: version }, body });
      await refresh(['getPage', 'getSidebar', 'listPages']);
      toast(t('{title} was saved', { title: page.title || page.identifier }));
      return page;
    } catch (caught) {
      if (errorCode(caught) !== 'stale_version') setError(caught);
      else setConflict((await call('getPage', { params })).page);
      return undefined;
    } finally {
      setBusy(false);
    }
  };
  return { run, isBusy, error, conflict, settle: () => setConflict(undefined) };
}
