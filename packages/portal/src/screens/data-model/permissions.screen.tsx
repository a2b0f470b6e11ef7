import { Alert, Skeleton, Stack, Tabs, Text } from '@mantine/core';
import { isRecord } from '@portolan/contract/json-value';
import { useState } from 'react';
import { useChange, useRead } from '../../api/query.ts';
import { useCommands } from '../../frame/commands.tsx';
import { useParam, useUrlState } from '../../frame/url-state.ts';
import { CodeEditor } from '../../kit/code-editor.tsx';
import { SaveBar } from '../../kit/save-bar.tsx';
import { ErrorState, Reading } from '../../kit/states.tsx';
import { useToast } from '../../kit/toasts.tsx';
import { t } from '../../kit/translate.ts';
import { useLeaveGuard } from '../../kit/use-leave-guard.ts';
import { useMay } from '../../parts/access/permit.ts';
import { ReadOnly } from '../../parts/access/read-only.tsx';
import { PageHeader } from '../../parts/page-header.tsx';
import { blueprintAddress } from './addresses.ts';
import type { Blueprint } from './blueprint-draft.ts';
import { BlueprintMenu } from './blueprint-menu.tsx';
import { GrantEditor } from './grant-editor.tsx';
import { grantNames, type Permissions, permissionChange, readPermissions } from './permission-draft.ts';
import { PermissionTester } from './permission-tester.tsx';

/** Who may read, create, update and delete the entities of a blueprint, with a test for a chosen user. */
export function Screen() {
  const identifier = useParam('blueprint');
  const params = { blueprint_identifier: identifier };
  const blueprint = useRead('getBlueprint', { params });
  const permissions = useRead('getBlueprintPermissions', { params });
  return (
    <Reading of={blueprint} isScreen skeleton={<Skeleton height={320} />}>
      {({ blueprint: found }) => (
        <>
          <PageHeader
            title={t('Permissions of {title}', { title: found.title })}
            trail={[
              { to: '/builder/data-model', label: t('Data model') },
              { ...blueprintAddress(identifier), label: found.title },
            ]}
            description={t('One of the grants is enough. Administrators may do everything.')}
            actions={<BlueprintMenu blueprint={found} />}
          />
          <Reading of={permissions} skeleton={<Skeleton height={320} />}>
            {(answer) => <Editor key={identifier} blueprint={found} saved={answer.permissions} />}
          </Reading>
        </>
      )}
    </Reading>
  );
}

function Editor({ blueprint, saved }: { blueprint: Blueprint; saved: Permissions }) {
  const [draft, setDraft] = useState(saved);
  const [base, setBase] = useState(saved);
  const [text, setText] = useState<string>();
  const [broken, setBroken] = useState<ReadonlySet<string>>(new Set());
  const [tab = 'grants', setTab] = useUrlState('/builder/data-model/$blueprint/permissions', 'tab');
  const toast = useToast();
  const mayChange = useMay('patchBlueprintPermissions');
  const patch = useChange('patchBlueprintPermissions', { staleAfter: ['getBlueprintPermissions', 'getOwnRights'] });
  const read = text === undefined ? undefined : readPermissions(text);
  const problem = read && 'problem' in read ? read.problem : undefined;
  const isDirty = problem !== undefined || JSON.stringify(draft) !== JSON.stringify(base);
  const isReady = isDirty && problem === undefined && broken.size === 0;
  useLeaveGuard(isDirty || broken.size > 0, t('the permissions of {title}', { title: blueprint.title }));
  const change = permissionChange(base, draft);
  const save = () => {
    if (!isReady || !mayChange.isAllowed) return;
    const input = { params: { blueprint_identifier: blueprint.identifier }, body: change };
    patch.mutate(input, {
      onSuccess: ({ permissions }) => {
        setBase(permissions);
        setDraft(permissions);
        setText(undefined);
        toast(t('The permissions of {title} were saved', { title: blueprint.title }));
      },
    });
  };
  useCommands([{ id: 'permissions.save', label: t('Save the permissions'), keys: 'mod+s', run: save }]);
  const show = (next: string | null) => {
    setText(next === 'json' ? JSON.stringify(draft, null, 2) : undefined);
    setTab(next === 'grants' || next === null ? undefined : next);
  };
  return (
    <>
      {patch.error && <ErrorState error={patch.error} what={t('The permissions were not saved')} />}
      <Tabs value={tab} onChange={show} keepMounted={false}>
        <Tabs.List mb="md">
          <Tabs.Tab value="grants">{t('Grants')}</Tabs.Tab>
          <Tabs.Tab value="try">{t('Try as somebody')}</Tabs.Tab>
          <Tabs.Tab value="json">{t('JSON')}</Tabs.Tab>
        </Tabs.List>
        <ReadOnly permit={mayChange} to={t('change the permissions of {title}', { title: blueprint.title })}>
          <Tabs.Panel value="grants">
            <Stack gap="md">
              {grantNames.map((name) => (
                <GrantEditor
                  key={`${name} ${JSON.stringify(base.entities[name].policy)}`}
                  name={name}
                  grant={draft.entities[name]}
                  hasOwnership={blueprint.ownership !== undefined || isRecord(blueprint.teamInheritance)}
                  onChange={(grant) => setDraft((before) => ({ entities: { ...before.entities, [name]: grant } }))}
                  onBroken={(isBroken) =>
                    setBroken((before) => {
                      const after = new Set(before);
                      if (isBroken) after.add(name);
                      else after.delete(name);
                      return after;
                    })
                  }
                />
              ))}
              <Text size="sm" c="dimmed">
                {t('Rights on single properties and relations are on the JSON tab.')}
              </Text>
            </Stack>
          </Tabs.Panel>
          <Tabs.Panel value="try">
            <PermissionTester blueprint={blueprint} change={isReady ? change : undefined} />
          </Tabs.Panel>
          <Tabs.Panel value="json">
            <CodeEditor
              language="json"
              label={t('Permissions as JSON')}
              value={text ?? JSON.stringify(draft, null, 2)}
              minHeight={320}
              maxHeight={640}
              onChange={(typed) => {
                setText(typed);
                const result = readPermissions(typed);
                if ('permissions' in result) setDraft(result.permissions);
              }}
            />
            {problem && <Alert color="red">{problem}</Alert>}
          </Tabs.Panel>
        </ReadOnly>
      </Tabs>
      <SaveBar
        isDirty={isDirty || broken.size > 0}
        problem={broken.size > 0 ? t('A policy has to be corrected first.') : problem}
        isBusy={patch.isPending}
        onSave={save}
        onDiscard={() => {
          setDraft(base);
          setBase({ ...base });
          setText(undefined);
          setBroken(new Set());
          patch.reset();
        }}
      />
    </>
  );
}
