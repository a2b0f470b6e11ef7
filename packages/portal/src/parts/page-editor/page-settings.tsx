import { Select, Stack, Switch, Textarea, TextInput } from '@mantine/core';
import { useRead } from '../../api/query.ts';
import surfaces from '../../kit/surfaces.module.css';
import { t } from '../../kit/translate.ts';
import { IconSelect } from '../icon-select.tsx';
import type { Draft } from './page-draft.ts';

/** Title, place in the side bar, and lock of a page. */
export function PageSettings({
  draft,
  isPrivate,
  onChange,
}: {
  draft: Draft;
  isPrivate: boolean;
  onChange: (draft: Draft, label: string) => void;
}) {
  const isBuiltIn = draft.type === 'home';
  const sidebar = useRead('getSidebar');
  const folders = (sidebar.data?.sidebar.items ?? []).flatMap((item) =>
    item.sidebarType === 'folder' ? [{ value: item.identifier, label: item.title ?? item.identifier }] : [],
  );
  const set = (part: Partial<Draft>, label: string) => {
    const next = Object.entries({ ...draft, ...part }).filter(([, value]) => value !== undefined && value !== '');
    onChange(Object.fromEntries(next) as unknown as Draft, label);
  };
  return (
    <section className={surfaces.block} aria-label={t('Page')}>
      <Stack gap="sm" maw={560}>
        <TextInput
          label={t('Title')}
          maxLength={200}
          value={draft.title ?? ''}
          onChange={({ currentTarget }) => set({ title: currentTarget.value }, t('Change the title'))}
        />
        {!isBuiltIn && (
          <TextInput
            label={t('Identifier')}
            description={t("Part of the page's address. Links to the old address stop working.")}
            maxLength={200}
            error={draft.identifier ? undefined : t('An identifier is required')}
            value={draft.identifier ?? ''}
            onChange={({ currentTarget }) =>
              onChange({ ...draft, identifier: currentTarget.value }, t('Change the identifier'))
            }
          />
        )}
        <IconSelect value={draft.icon} onChange={(icon) => set({ icon } as Partial<Draft>, t('Change the icon'))} />
        <Textarea
          label={t('Description')}
          description={t('Markdown, shown under the title')}
          autosize
          minRows={2}
          maxLength={2000}
          value={draft.description ?? ''}
          onChange={({ currentTarget }) => set({ description: currentTarget.value }, t('Change the description'))}
        />
        {!isPrivate && !isBuiltIn && (
          <>
            <Select
              label={t('Folder')}
              clearable
              clearButtonProps={{ 'aria-label': t('Out of the folder') }}
              data={folders}
              value={draft.parent ?? null}
              onChange={(parent) =>
                set({ parent: parent ?? undefined, after: undefined } as Partial<Draft>, t('Change the folder'))
              }
            />
            <Switch
              label={t('In the side bar')}
              checked={draft.showInSidebar !== false}
              onChange={({ currentTarget }) =>
                set(
                  { showInSidebar: currentTarget.checked ? undefined : false } as Partial<Draft>,
                  t('Change the side bar'),
                )
              }
            />
          </>
        )}
        {!isPrivate && (
          <Switch
            label={t('Locked')}
            description={t('Only administrators can change a locked page, whatever its permissions say')}
            checked={draft.locked === true}
            onChange={({ currentTarget }) =>
              set({ locked: currentTarget.checked ? true : undefined } as Partial<Draft>, t('Change the lock'))
            }
          />
        )}
      </Stack>
    </section>
  );
}
