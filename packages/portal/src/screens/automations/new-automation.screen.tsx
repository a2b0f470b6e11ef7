import { useNavigate } from '@tanstack/react-router';
import type { InputOf } from '../../api/api.ts';
import { useChange } from '../../api/query.ts';
import { useToast } from '../../kit/toasts.tsx';
import { t } from '../../kit/translate.ts';
import { useMay } from '../../parts/access/permit.ts';
import { ReadOnly } from '../../parts/access/read-only.tsx';
import { PageHeader } from '../../parts/page-header.tsx';
import { automationAddress, emptyDraft } from './automation-draft.ts';
import { AutomationEditor } from './automation-editor.tsx';

/** A new automation; active once saved, unless saved as paused. */
export function Screen() {
  const create = useChange('createAction', { staleAfter: ['listActions'] });
  const navigate = useNavigate();
  const mayCreate = useMay('createAction');
  const toast = useToast();
  return (
    <>
      <PageHeader
        title={t('New automation')}
        trail={[{ to: '/builder/automations', label: t('Automations') }]}
        description={t('When an event occurs and its condition is true, run an action. Active as soon as you save.')}
      />
      <ReadOnly permit={mayCreate} to={t('create automations')}>
        <AutomationEditor
          base={emptyDraft}
          isNew
          isBusy={create.isPending || create.isSuccess}
          error={create.error}
          onReset={create.reset}
          onSave={(draft) =>
            create.mutate({ body: draft } as unknown as InputOf<'createAction'>, {
              onSuccess: ({ action }) => {
                toast(t('{title} was created', { title: action.title || action.identifier }));
                void navigate({ ...automationAddress(action.identifier), search: { tab: 'test' } });
              },
            })
          }
        />
      </ReadOnly>
    </>
  );
}
