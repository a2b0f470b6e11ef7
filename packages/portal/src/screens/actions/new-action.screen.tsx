import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { call, type InputOf } from '../../api/api.ts';
import { useRead, useRefresh } from '../../api/query.ts';
import { useUrlState } from '../../frame/url-state.ts';
import { Reading } from '../../kit/states.tsx';
import { useToast } from '../../kit/toasts.tsx';
import { t } from '../../kit/translate.ts';
import { useMay } from '../../parts/access/permit.ts';
import { ReadOnly } from '../../parts/access/read-only.tsx';
import { toWritten } from '../../parts/actions/stored-action.ts';
import { PageHeader } from '../../parts/page-header.tsx';
import { actionEditorAddress } from '../../parts/run-things.ts';
import { copyDraft, type Draft, emptyDraft } from './action-draft.ts';
import { ActionEditor } from './action-editor.tsx';
import { freshRights, type Rights } from './rights.ts';
import { useSample } from './trial.ts';

/** A new action, or a copy of another including its permissions. */
export function Screen() {
  const [from] = useUrlState('/builder/new-action', 'from');
  const params = { action_identifier: String(from) };
  const isCopy = from !== undefined;
  const mayCreate = useMay('createAction');
  const action = useRead('getAction', { params }, { isOn: isCopy });
  const rights = useRead('getActionPermissions', { params }, { isOn: isCopy });
  return (
    <>
      <PageHeader
        title={t('New action')}
        trail={[{ to: '/self-service', label: t('Self-service') }]}
        description={t(
          'A form that people fill in and what happens with its inputs. Available once saved and published.',
        )}
      />
      <ReadOnly permit={mayCreate} to={t('create actions')}>
        {isCopy ? (
          <Reading of={action}>
            {({ action: found }) => (
              <Reading of={rights}>
                {({ permissions }) => (
                  <Create key={found.id} given={copyDraft(toWritten(found))} rights={permissions} />
                )}
              </Reading>
            )}
          </Reading>
        ) : (
          <Create given={emptyDraft} />
        )}
      </ReadOnly>
    </>
  );
}

function Create({ given, rights }: { given: Draft; rights?: Rights }) {
  // taken once: later changes to the original do not affect the copy
  const [base] = useState(given);
  const sample = useSample();
  const [isBusy, setBusy] = useState(false);
  const [error, setError] = useState<Error>();
  const navigate = useNavigate();
  const refresh = useRefresh();
  const toast = useToast();
  const create = async (draft: Draft, change: Partial<Rights> | undefined) => {
    setBusy(true);
    setError(undefined);
    try {
      const { action } = await call('createAction', { body: draft } as unknown as InputOf<'createAction'>);
      const params = { action_identifier: action.identifier };
      let failure: Error | undefined;
      if (change) {
        const input = { params, body: change };
        await call('patchActionPermissions', input).catch((caught: unknown) => {
          failure = caught as Error;
        });
      }
      await refresh(['listActions']);
      if (failure)
        toast({
          text: t('The action was created, but its permissions were not saved: {message}', {
            message: failure.message,
          }),
          kind: 'failure',
        });
      else toast(t('{title} was created', { title: action.title || action.identifier }));
      await navigate({ ...actionEditorAddress(action.identifier), search: failure ? { tab: 'rights' } : {} });
    } catch (caught) {
      setError(caught as Error);
      setBusy(false);
    }
  };
  return (
    <ActionEditor
      base={base}
      baseRights={freshRights}
      initialRights={rights}
      sample={sample}
      isNew
      saving={{ isBusy, error, reset: () => setError(undefined) }}
      onSave={(draft, change) => void create(draft, change)}
    />
  );
}
