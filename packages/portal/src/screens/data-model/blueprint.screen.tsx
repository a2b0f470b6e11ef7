import { Alert, Anchor, Group, Skeleton, Tabs } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { type AnswerOf, call } from '../../api/api.ts';
import { useRead } from '../../api/query.ts';
import { ButtonLink } from '../../frame/links.tsx';
import { useParam, useUrlState } from '../../frame/url-state.ts';
import { useConfirm } from '../../kit/confirm.tsx';
import { CopyValue } from '../../kit/copy-value.tsx';
import { useStoredDraft } from '../../kit/draft.ts';
import { locale } from '../../kit/language.ts';
import { type Issue, readIssues } from '../../kit/refusal.ts';
import { SaveBar } from '../../kit/save-bar.tsx';
import { Reading } from '../../kit/states.tsx';
import { t } from '../../kit/translate.ts';
import { useMay } from '../../parts/access/permit.ts';
import { ReadOnly } from '../../parts/access/read-only.tsx';
import { useListAddress } from '../../parts/entities/list-address.ts';
import { PageHeader } from '../../parts/page-header.tsx';
import { asDraft, type Blueprint, type Draft, type TabName, tabOfIssue } from './blueprint-draft.ts';
import { BlueprintMenu } from './blueprint-menu.tsx';
import { ComputedTab } from './computed-tab.tsx';
import { GeneralTab } from './general-tab.tsx';
import { JsonTab } from './json-tab.tsx';
import { OwnershipTab } from './ownership-tab.tsx';
import { PropertiesTab } from './properties-tab.tsx';
import { RelationsTab } from './relations-tab.tsx';
import type { TabProps } from './tab-props.ts';

const tabs: readonly { readonly name: TabName; readonly label: string }[] = [
  { name: 'properties', label: t('Properties') },
  { name: 'relations', label: t('Relations') },
  { name: 'computed', label: t('Computed') },
  { name: 'ownership', label: t('Ownership') },
  { name: 'general', label: t('General') },
  { name: 'json', label: 'JSON' },
];

/** One blueprint, edited as a whole in the browser and saved at once. */
export function Screen() {
  const identifier = useParam('blueprint');
  const reading = useRead('getBlueprint', { params: { blueprint_identifier: identifier } });
  const model = useRead('listBlueprints');
  return (
    <Reading of={reading} isScreen skeleton={<Skeleton height={320} />}>
      {({ blueprint }) => (
        <Editor key={blueprint.identifier} latest={blueprint} blueprints={model.data?.blueprints ?? []} />
      )}
    </Reading>
  );
}

function Editor({ latest, blueprints }: { latest: Blueprint; blueprints: readonly Blueprint[] }) {
  const [problem, setProblem] = useState<string>();
  const [tab = 'properties', setTab] = useUrlState('/builder/data-model/$blueprint', 'tab');
  const params = { blueprint_identifier: latest.identifier };
  const isWanted = useLossQuestion(params);
  const mayChange = useMay('replaceBlueprint');
  const list = useListAddress(latest.identifier);
  const queries = useQueryClient();
  const { draft, set, base, isDirty, error, bar } = useStoredDraft<Draft, AnswerOf<'replaceBlueprint'>>({
    latest: asDraft(latest),
    name: latest.title,
    command: t('Save the blueprint'),
    problem: problem === undefined ? undefined : t('The JSON has to be corrected first.'),
    readNow: async () => {
      const { blueprint: now } = await call('getBlueprint', { params });
      return { draft: asDraft(now), by: now.updatedBy };
    },
    isWanted: async (changed, from) => mayChange.isAllowed && (await isWanted(changed, from)),
    send: (body) => call('replaceBlueprint', { params, body }),
    savedOf: ({ blueprint }) => asDraft(blueprint),
    staleAfter: ['listBlueprints', 'getBlueprint', 'getBlueprintPermissions', 'getOwnRights', 'countEntities'],
    onSaved: ({ blueprint }) => queries.setQueryData(['getBlueprint', { params }], { ok: true, blueprint }),
    done: ({ blueprint }) => t('{title} was saved', { title: blueprint.title }),
  });
  const issues = readIssues(error);
  const shared: TabProps = { draft, onChange: set, issues, blueprints, saved: { ...latest, ...base }, isDirty };
  return (
    <>
      <PageHeader
        title={base.title}
        icon={base.icon ?? 'Blueprint'}
        trail={[{ to: '/builder/data-model', label: t('Data model') }]}
        description={
          <Group gap={4}>
            <code>{base.identifier}</code>
            <CopyValue value={base.identifier} what={t('the identifier')} />
          </Group>
        }
        actions={
          <>
            {list.to === '/catalog/$page' && (
              <ButtonLink {...list} variant="default">
                {t('Show entities')}
              </ButtonLink>
            )}
            <BlueprintMenu blueprint={base} />
          </>
        }
      />
      {error && <Refusal error={error} issues={issues} onGo={setTab} />}
      <Tabs value={tab} onChange={(value) => setTab((value ?? undefined) as TabName | undefined)} keepMounted={false}>
        <Tabs.List mb="md">
          {tabs.map(({ name, label }) => (
            <Tabs.Tab key={name} value={name} disabled={problem !== undefined && name !== 'json'}>
              {label}
              {issues.some((issue) => tabOfIssue(issue) === name) ? ` ${t('(to correct)')}` : ''}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        <ReadOnly permit={mayChange} to={t('change the blueprint {title}', { title: base.title })}>
          <Tabs.Panel value="properties">
            <PropertiesTab {...shared} />
          </Tabs.Panel>
          <Tabs.Panel value="relations">
            <RelationsTab {...shared} />
          </Tabs.Panel>
          <Tabs.Panel value="computed">
            <ComputedTab {...shared} />
          </Tabs.Panel>
          <Tabs.Panel value="ownership">
            <OwnershipTab {...shared} />
          </Tabs.Panel>
          <Tabs.Panel value="general">
            <GeneralTab {...shared} />
          </Tabs.Panel>
          <Tabs.Panel value="json">
            <JsonTab {...shared} problem={problem} onProblem={setProblem} />
          </Tabs.Panel>
        </ReadOnly>
      </Tabs>
      <SaveBar
        {...bar}
        onDiscard={() => {
          setProblem(undefined);
          bar.onDiscard();
        }}
      />
    </>
  );
}

/** Confirms a save that removes properties or relations in which entities hold values. */
function useLossQuestion(params: { blueprint_identifier: string }) {
  const confirm = useConfirm();
  return async (draft: Draft, base: Draft): Promise<boolean> => {
    const gone = Object.keys(base.schema.properties).filter((key) => !Object.hasOwn(draft.schema.properties, key));
    const lost = [...gone, ...Object.keys(base.relations).filter((key) => !Object.hasOwn(draft.relations, key))];
    if (lost.length === 0) return true;
    const { count } = await call('countEntities', { params });
    if (count === 0) return true;
    return confirm({
      title: t('Remove {lost}', { lost: lost.join(', ') }),
      consequence: t('The values that {count} {word} there can no longer be read or changed.', {
        count: count.toLocaleString(locale),
        word: count === 1 ? t('entity has') : t('entities have'),
      }),
      verb: t('Save and remove'),
    });
  };
}

function Refusal({ error, issues, onGo }: { error: Error; issues: readonly Issue[]; onGo: (tab: TabName) => void }) {
  return (
    <Alert color="red" role="alert" title={t('The blueprint was not saved')} mb="md">
      {error.message}
      {issues.length > 0 && (
        <ul>
          {issues.map((issue) => (
            <li key={`${issue.path} ${issue.message}`}>
              <Anchor component="button" type="button" onClick={() => onGo(tabOfIssue(issue))}>
                {issue.path}
              </Anchor>{' '}
              {issue.message}
            </li>
          ))}
        </ul>
      )}
    </Alert>
  );
}
