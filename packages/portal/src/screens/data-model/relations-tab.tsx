import { Alert, Button, Checkbox, Group, Select, Stack, Textarea, TextInput } from '@mantine/core';
import { Plus } from 'lucide-react';
import { type FormEvent, useState } from 'react';
import { useRead } from '../../api/query.ts';
import { AnchorLink } from '../../frame/links.tsx';
import { Dialog } from '../../kit/dialog.tsx';
import { withKey } from '../../kit/json-value.ts';
import { issueAt } from '../../kit/refusal.ts';
import { Sentence } from '../../kit/sentence.tsx';
import { t } from '../../kit/translate.ts';
import { ColourBadge } from '../../parts/badges.tsx';
import { migrateDataAddress } from './addresses.ts';
import { type Blueprint, draftKeys, type Relation } from './blueprint-draft.ts';
import { KeyField, useKey } from './key-field.tsx';
import { PartList } from './part-list.tsx';
import { teamRelations } from './relation-path.ts';
import { RenamePart } from './rename-part.tsx';
import type { TabProps } from './tab-props.ts';

/** The relations of the blueprint. */
export function RelationsTab({ draft, onChange, issues, blueprints, saved, isDirty }: TabProps) {
  const [edited, setEdited] = useState<string | null>();
  const [renamed, setRenamed] = useState<string>();
  const structure = useRead(
    'getSystemBlueprintStructure',
    { params: { blueprint_identifier: saved.identifier } },
    { isOn: saved.identifier.startsWith('_') },
  );
  const fixed = structure.data?.blueprint.relations ?? {};
  const put = (key: string, relation: Relation | undefined) =>
    onChange({ ...draft, relations: withKey(draft.relations, key, relation) });
  const titleOf = (target: string) => blueprints.find(({ identifier }) => identifier === target)?.title ?? target;
  const toTeams = teamRelations(saved);
  return (
    <Stack gap="md">
      {toTeams.length > 0 && saved.identifier !== '_user' && (
        <Alert color="blue" title={t('A relation to teams can become ownership')}>
          <Sentence
            text="Ownership is inherited, searched and used by permissions. <link/>"
            parts={{
              link: (
                <AnchorLink underline="always" {...migrateDataAddress(saved.identifier)}>
                  {t('Migrate the data of {toTeams}', { toTeams: toTeams.map(({ title }) => title).join(', ') })}
                </AnchorLink>
              ),
            }}
          />
        </Alert>
      )}
      <Group>
        <Button variant="default" leftSection={<Plus size={16} />} onClick={() => setEdited(null)}>
          {t('Add relation')}
        </Button>
      </Group>
      <PartList
        label={t('Relations')}
        parts={Object.entries(draft.relations).map(([key, { title, target, required, many, description }]) => ({
          key,
          title: title ?? key,
          kind: (
            <>
              <ColourBadge colour="purple">{`${many ? t('Many') : t('One')} ${titleOf(target)}`}</ColourBadge>
              {required && <ColourBadge colour="gold">{t('Required')}</ColourBadge>}
            </>
          ),
          detail: description,
          problem: issueAt(issues, 'relations', key),
          locked: Object.hasOwn(fixed, key) ? t('Built in') : undefined,
        }))}
        onEdit={setEdited}
        onRename={setRenamed}
        onRemove={(key) => put(key, undefined)}
        empty={{
          title: t('No relations yet'),
          text: t('Relate it to other blueprints, such as a service to its domain.'),
        }}
      />
      {edited !== undefined && (
        <RelationForm
          initialKey={edited ?? undefined}
          initial={edited === null ? undefined : draft.relations[edited]}
          blueprints={blueprints}
          taken={draftKeys(draft)}
          onClose={() => setEdited(undefined)}
          onDone={(key, relation) => {
            put(key, relation);
            setEdited(undefined);
          }}
        />
      )}
      {renamed !== undefined && (
        <RenamePart
          blueprint={saved.identifier}
          part={renamed}
          what="relation"
          isDirty={isDirty}
          onClose={() => setRenamed(undefined)}
        />
      )}
    </Stack>
  );
}

function RelationForm({
  initialKey,
  initial,
  blueprints,
  taken,
  onClose,
  onDone,
}: {
  initialKey: string | undefined;
  initial: Relation | undefined;
  blueprints: readonly Blueprint[];
  taken: ReadonlySet<string>;
  onClose: () => void;
  onDone: (key: string, relation: Relation) => void;
}) {
  const [relation, setRelation] = useState<Relation>(initial ?? { target: '', required: false, many: false });
  const set = (part: Partial<Relation>) => setRelation((before) => ({ ...before, ...part }));
  const key = useKey(initialKey, relation.title ?? relation.target, taken);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    event.stopPropagation();
    const { title, description, ...rest } = relation;
    onDone(key.key, { ...rest, ...(title ? { title } : {}), ...(description ? { description } : {}) });
  };
  return (
    <Dialog
      opened
      onClose={onClose}
      title={initialKey === undefined ? t('Add relation') : t('Edit {title}', { title: initial?.title ?? initialKey })}
    >
      <form onSubmit={submit}>
        <Stack>
          <Select
            label={t('Points at')}
            data={blueprints.map(({ identifier, title }) => ({ value: identifier, label: `${title} (${identifier})` }))}
            value={relation.target || null}
            searchable
            data-autofocus
            onChange={(target) => set({ target: target ?? '' })}
          />
          <TextInput
            label={t('Title')}
            maxLength={100}
            value={relation.title ?? ''}
            onChange={({ currentTarget }) => set({ title: currentTarget.value })}
          />
          <KeyField of={key} />
          <Checkbox
            label={t('To many')}
            checked={relation.many}
            onChange={({ currentTarget: { checked } }) =>
              set({ many: checked, ...(checked ? { required: false } : {}) })
            }
          />
          <Checkbox
            label={t('Every entity must have it')}
            description={relation.many ? t('A relation to many cannot be required') : undefined}
            disabled={relation.many}
            checked={relation.required}
            onChange={({ currentTarget }) => set({ required: currentTarget.checked })}
          />
          <Textarea
            label={t('Description')}
            autosize
            minRows={2}
            value={relation.description ?? ''}
            onChange={({ currentTarget }) => set({ description: currentTarget.value })}
          />
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              {t('Cancel')}
            </Button>
            <Button type="submit" disabled={relation.target === '' || !key.isUsable}>
              {initialKey === undefined ? t('Add') : t('Apply')}
            </Button>
          </Group>
        </Stack>
      </form>
    </Dialog>
  );
}
