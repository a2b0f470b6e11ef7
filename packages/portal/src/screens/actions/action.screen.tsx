import { Group } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { Navigate, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { call } from '../../api/api.ts';
import { useRead } from '../../api/query.ts';
import { ButtonLink } from '../../frame/links.tsx';
import { useParam } from '../../frame/url-state.ts';
import { CopyValue } from '../../kit/copy-value.tsx';
import { Reading } from '../../kit/states.tsx';
import { t } from '../../kit/translate.ts';
import { useMay } from '../../parts/access/permit.ts';
import { ReadOnly } from '../../parts/access/read-only.tsx';
import { ActionMenu } from '../../parts/actions/action-menu.tsx';
import { AuthorityNotice } from '../../parts/actions/authority-notice.tsx';
import { type StoredAction, toWritten } from '../../parts/actions/stored-action.ts';
import { useActionSave } from '../../parts/actions/use-action-save.ts';
import { PageHeader } from '../../parts/page-header.tsx';
import { actionEditorAddress, formAddress } from '../../parts/run-things.ts';
import type { Draft } from './action-draft.ts';
import { ActionEditor } from './action-editor.tsx';
import type { Rights } from './rights.ts';
import { useSample } from './trial.ts';

/** A self-service action, edited as a whole. */
export function Screen() {
  const identifier = useParam('action');
  const params = { action_identifier: identifier };
  const action = useRead('getAction', { params });
  const mayChange = useMay('replaceAction');
  const rights = useRead('getActionPermissions', { params });
  return (
    <Reading of={action} isScreen>
      {({ action: found, authority }) =>
        found.trigger['type'] === 'automation' ? (
          <Navigate to="/builder/automations/$automation" params={{ automation: identifier }} replace />
        ) : (
          <>
            <Head action={found} />
            <AuthorityNotice authority={authority} />
            <Reading of={rights}>
              {({ permissions }) => (
                <ReadOnly permit={mayChange} to={t('change the action {title}', { title: found.title || identifier })}>
                  <Edit key={found.id} latest={found} rights={permissions} />
                </ReadOnly>
              )}
            </Reading>
          </>
        )
      }
    </Reading>
  );
}

function Head({ action }: { action: StoredAction }) {
  const { identifier, title } = action;
  return (
    <PageHeader
      title={title || identifier}
      icon={action.icon ?? ''}
      trail={[{ to: '/self-service', label: t('Self-service') }]}
      description={
        <Group gap={4}>
          <code>{identifier}</code>
          <CopyValue value={identifier} what={t('the identifier')} />
        </Group>
      }
      actions={
        <>
          <ButtonLink {...formAddress(identifier)} variant="default">
            {t('Open the form')}
          </ButtonLink>
          <ActionMenu action={action} isEditor />
        </>
      }
    />
  );
}

/** Saves the whole draft and its permissions; if someone else saved first, the user sees both versions. */
function Edit({ latest, rights }: { latest: StoredAction; rights: Rights }) {
  const [isDirty, setDirty] = useState(false);
  const sample = useSample();
  const saving = useActionSave(latest, isDirty);
  const navigate = useNavigate();
  const queries = useQueryClient();
  const { base } = saving;
  const save = async (draft: Draft, change: Partial<Rights> | undefined) => {
    const saved = await saving.save(draft, async ({ identifier }) => {
      if (change === undefined) return;
      const params = { action_identifier: identifier };
      const input = { params, body: change };
      const answer = await call('patchActionPermissions', input);
      queries.setQueryData(['getActionPermissions', { params }], answer);
    });
    if (saved && saved.identifier !== base.identifier) {
      await navigate({ ...actionEditorAddress(saved.identifier), search: true, replace: true });
    }
  };
  return (
    <ActionEditor
      key={saving.round}
      base={toWritten(base)}
      baseRights={rights}
      sample={sample}
      onDirty={setDirty}
      saving={saving}
      onSave={(draft, change) => void save(draft, change)}
    />
  );
}
